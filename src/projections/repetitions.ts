import { hash } from "node:crypto";
import { outputText, passes } from "../events/types/command-result.ts";
import type { Event } from "../events/types/index.ts";
import { REDACTED } from "../events/types/structure.ts";
import { toSqlTime } from "../lib/time.ts";
import { comparable } from "./comparable.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, integer, means, nullable, oneOf, text } from "./table.ts";

const kinds = ["remaining", "gate_output"] as const;
type Kind = (typeof kinds)[number];

export const repetitionsTable = defineTable("repetitions", {
  description: "Signs that a task repeats itself. They only report: a row here has no effect.",
  columns: {
    id: means(integer, "the position of the repetition"),
    task_id: integer,
    kind: means(
      oneOf(kinds),
      "remaining: a partial left the same work as the session before; gate_output: a gate failed in " +
        "the same way as the time before",
    ),
    gate: means(integer, "the gate's number; 0 for remaining"),
    repeats: means(integer, "the position of the event that was repeated"),
    times: means(integer, "how many times in a row so far, including the first"),
    created: text,
  },
  key: ["id"],
  indexes: { by_task: ["task_id", "id"] },
});

const lastTable = defineTable("last_said", {
  columns: {
    task_id: integer,
    kind: oneOf(kinds),
    gate: integer,
    /** For a partial: an agent that repeats it within one session is not going in circles. */
    session_id: nullable(text),
    digest: text,
    position: integer,
    times: integer,
  },
  key: ["task_id", "kind", "gate"],
});

const tables = { repetitions: repetitionsTable, last: lastTable };

/** Two detectors of stagnation that only report: no rule uses these rows. */
export const repetitions = defineProjection({
  name: "repetitions",
  version: 3,
  tables,
  on: {
    "signal.partial": (event, rows) => compare(rows, event, "remaining", 0, event.payload.remaining),
    "gate.attempted": (event, rows) => {
      const { task, gate, stdout, stderr, ...result } = event.payload;
      if (passes(result)) rows.last.delete(task, "gate_output", gate);
      else if (!result.interrupted) {
        compare(rows, event, "gate_output", gate, `${outputText(stdout)}\n${outputText(stderr)}`);
      }
    },
  },
});

function compare(
  rows: RowsOf<typeof tables>,
  event: Event<"signal.partial" | "gate.attempted">,
  kind: Kind,
  gate: number,
  said: string,
): void {
  const { task, session: session_id = null } = event.payload;
  // A redacted text repeats nothing.
  const isGone = event.redacted !== undefined && said.includes(REDACTED);
  const digest = hash("sha256", isGone ? `removed ${event.position}` : comparable(said));
  const before = rows.last.get(task, kind, gate);
  if (kind === "remaining" && before?.digest === digest && before.session_id === session_id) return;
  const times = before?.digest === digest ? before.times + 1 : 1;
  rows.last.delete(task, kind, gate);
  rows.last.insert({ task_id: task, kind, gate, session_id, digest, position: event.position, times });
  if (!before || times === 1) return;
  rows.repetitions.insert({
    id: event.position,
    task_id: task,
    kind,
    gate,
    repeats: before.position,
    times,
    created: toSqlTime(event.recordedAt),
  });
}
