import { type Decided, decide } from "../../../decisions/decide.ts";
import { Refusal } from "../../../decisions/refusal.ts";
import type { Store } from "../../../decisions/store.ts";
import type { Via } from "../../../events/event.ts";
import { idFromKey } from "../../../lib/ids.ts";
import { LogError } from "../../../lib/log-error.ts";
import type { LeftOut, Row, RowContext, RowReport } from "./row.ts";

export interface ImportOptions {
  /** The importer's name in the log. */
  readonly actor: string;
  /** How the importer acts; what a row says that somebody did came some other way. */
  readonly via?: Via | undefined;
  /** The source's unique name among all sources imported here: it keeps their rows apart. */
  readonly source: readonly string[];
}

/**
 * Imports rows one by one, each as one decision with a key derived from the source and the row: an
 * interrupted or repeated import records each row once.
 *
 * @returns the result of each row, as it comes
 * @throws LogError, ReadModelError: the project is not usable; results reported before are recorded
 */
export async function* importRows(
  store: Store,
  rows: Iterable<Row | LeftOut>,
  options: ImportOptions,
): AsyncGenerator<RowReport> {
  const run = new ImportRun(store, options);
  for (const row of rows) {
    const report = "leftOut" in row ? leftOut(row) : await run.take(row);
    if (report) yield report;
  }
}

function leftOut({ leftOut: outcome, why, ...place }: LeftOut): RowReport {
  return { ...place, outcome, notes: [why] };
}

class ImportRun {
  readonly #store: Store;
  readonly #options: ImportOptions;
  readonly #tasks = new Map<string, number>();
  readonly #positions = new Map<string, number>();
  readonly #own = new Set<number>();

  constructor(store: Store, options: ImportOptions) {
    this.#store = store;
    this.#options = options;
  }

  async take(row: Row): Promise<RowReport | undefined> {
    const { at, what, time, changes } = row;
    const place = { at, what, ...(time !== undefined && { time }) };
    const noted: string[] = [];
    try {
      const key = JSON.stringify(["import", ...this.#options.source, row.key]);
      const known = (await this.#store.log.find(idFromKey(key, "0"))) !== undefined;
      const events = await this.#decide(row, key, noted);
      this.#remember(row, events);
      const notes = known ? [] : [...changes, ...noted];
      const outcome = known ? "known" : notes.length > 0 ? "changed" : "taken";
      const [first] = events;
      const task = first.type === "task.created" ? { task: first.payload.task } : {};
      return { ...place, outcome, position: first.position, ...task, notes };
    } catch (error) {
      if (error instanceof Refusal && error.code === "nothing_to_do") {
        return row.quiet ? undefined : { ...place, outcome: "skipped", notes: [error.message] };
      }
      return { ...place, outcome: "refused", notes: [reasonOf(error)] };
    }
  }

  #decide(row: Row, key: string, noted: string[]): Promise<Decided> {
    const decision = {
      type: row.type,
      input: { row: row.content },
      plan: (state: RowContext["state"]) => {
        noted.length = 0;
        return row.plan({
          state,
          taskOf: (ref) => required(this.#tasks.get(ref), `"${ref}", which was not imported`),
          positionOf: (other) => required(this.#positions.get(other), `${other}, which was not imported`),
          isOwn: (position) => this.#own.has(position),
          note: (change) => void noted.push(change),
        });
      },
    };
    const { actor, via } = this.#options;
    return decide(this.#store, decision, {
      ...(row.actor === undefined ? { actor, via } : { actor: row.actor }),
      key,
    });
  }

  #remember(row: Row, events: Decided): void {
    const [first] = events;
    this.#positions.set(row.key, first.position);
    for (const { position } of events) this.#own.add(position);
    if (row.ref !== undefined && first.type === "task.created") this.#tasks.set(row.ref, first.payload.task);
  }
}

function required(found: number | undefined, what: string): number {
  if (found === undefined) throw new Refusal("not_found", `It depends on, or belongs to, ${what}.`);
  return found;
}

/** A row's fault in words. Other errors are the project's, and rethrown. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal && error.code !== "contention") return error.message;
  if (error instanceof LogError && error.code === "invalid_event") return error.message;
  if (error instanceof LogError && error.code === "id_conflict") {
    return "It was imported before and has changed since. An import only adds; change the task by hand.";
  }
  throw error;
}
