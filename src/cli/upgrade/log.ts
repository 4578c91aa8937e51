import { locationOf } from "../../config/locate-log.ts";
import { systemEnvironment } from "../../decisions/system-environment.ts";
import type { RawRow } from "../../events/audit.ts";
import { storedDefinition } from "../../events/encoding.ts";
import { logToAudit } from "../../events/open-log.ts";
import { LogError } from "../../lib/log-error.ts";
import { counted } from "../../lib/readable.ts";
import { type Finding, failed, ok } from "../../loop/doctor/check.ts";

/** What a version finds in a log before it opens it. */
export interface SeenLog {
  /** Events in the log; undefined where this version cannot read it. */
  readonly events: number | undefined;
  readonly findings: readonly Finding[];
}

/** What this version does to the log: reads every stored row, writes nothing. */
export async function lookAtLog(readModelPath: string): Promise<SeenLog> {
  try {
    const location = await locationOf(readModelPath);
    return await logToAudit(location, systemEnvironment()).audit(async (log) => {
      const counts = new OlderEvents();
      for await (const rows of log.rows()) for (const row of rows) counts.add(row);
      const head = await log.head();
      const found = `${counted(head, "event")}; opening it changes nothing in the log`;
      return { events: head, findings: [ok("log", found), ok("events", counts.found())] };
    });
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return {
      events: undefined,
      findings: [failed("log", error.message, MEND[error.code] ?? "Run `signalbox doctor`.")],
    };
  }
}

const MEND: Readonly<Partial<Record<LogError["code"], string>>> = {
  newer_schema:
    "Keep the newer version: this one cannot open the log. To go back, restore a backup from before.",
};

/** Counts the events of older schema versions, by type. */
class OlderEvents {
  readonly #counts = new Map<string, number>();

  /** @throws LogError `newer_schema`: a newer version wrote it */
  add({ position, type, schema_version, payload }: RawRow): void {
    if (typeof type !== "string" || typeof schema_version !== "number" || payload === null) return;
    const definition = storedDefinition({ position, type, schemaVersion: schema_version });
    if (definition === undefined || schema_version === definition.version) return;
    const name = `${type} ${schema_version}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  found(): string {
    if (this.#counts.size === 0) return "all have the schema versions of this version";
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const names = [...this.#counts.keys()].sort().join(", ");
    return `${counted(total, "event")} of older schema versions (${names}): converted on reading, never rewritten`;
  }
}
