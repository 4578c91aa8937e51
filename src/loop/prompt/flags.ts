import type { flagsTable } from "../../projections/board/flags.ts";
import { digestOf } from "../../projections/same-words.ts";
import type { Row } from "../../projections/table.ts";
import type { Context } from "./context.ts";
import type { Entry, Part } from "./part.ts";
import { quoteAgent } from "./quote.ts";

type Flag = Row<typeof flagsTable>;

/** Problems that sessions of this task reported since it was last done, blocking ones first. */
export function flagsPart({ readModel, task, lastDone, limit }: Context): Part {
  const found = readModel
    .prepared<[number, number], Flag>(
      `SELECT * FROM flags WHERE task_id = ? AND id > ?
       ORDER BY CASE severity WHEN 'blocking' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, id DESC LIMIT 300`,
    )
    .all(task.id, lastDone);
  return {
    name: "flags",
    heading: "Problems that sessions of this task reported",
    why: "flags of this task since it was last done",
    entries: joined(found).map((flag) => describe(flag, limit(1 / 48), `${flag.severity} flag of this task`)),
    required: false,
  };
}

/** Blocking problems that tasks of the same feature reported which are not done. */
export function featureFlagsPart({ readModel, task, limit }: Context): Part {
  const found = readModel
    .prepared<[string, number], Flag>(
      `SELECT f.* FROM tasks t CROSS JOIN flags f ON f.task_id = t.id
       WHERE t.feature = ? AND t.id <> ? AND t.status NOT IN ('done', 'skipped') AND f.severity = 'blocking'
         AND f.id > coalesce(
           (SELECT max(c.position) FROM status_changes c WHERE c.task_id = t.id AND c.to_status = 'done'), 0)
       ORDER BY f.id DESC LIMIT 100`,
    )
    .all(task.feature, task.id);
  return {
    name: "feature_flags",
    heading: "What blocks other tasks of the feature",
    why: "blocking flags of tasks of the feature that are not done",
    entries: joined(found).map((flag) =>
      describe(flag, limit(1 / 48), `blocking flag of task ${flag.task_id}`, ` in task ${flag.task_id}`),
    ),
    required: false,
  };
}

interface JoinedFlag extends Flag {
  readonly positions: readonly number[];
}

/** The same words twice are one flag: the first of them stands, which is the most severe or the newest. */
function joined(flags: readonly Flag[]): JoinedFlag[] {
  const byWords = new Map<string, JoinedFlag>();
  for (const flag of flags) {
    const digest = digestOf(flag.what);
    const same = byWords.get(digest);
    byWords.set(digest, { ...(same ?? flag), positions: [...(same?.positions ?? []), flag.id] });
  }
  return [...byWords.values()];
}

function describe(flag: JoinedFlag, limit: number, why: string, where = ""): Entry {
  return {
    text: `- ${flag.severity}, ${flag.category}${where}\n${quoteAgent(flag.what, limit)}`,
    positions: flag.positions,
    why,
  };
}
