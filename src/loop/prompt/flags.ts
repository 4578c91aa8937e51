import type { flagsTable } from "../../projections/board/flags.ts";
import { digestOf } from "../../projections/same-words.ts";
import type { Row } from "../../projections/table.ts";
import { question } from "../../read-model/question.ts";
import type { Context } from "./context.ts";
import type { Entry, Part } from "./part.ts";
import { quoteAgent } from "./quote.ts";

type Flag = Row<typeof flagsTable>;

/** Problems reported by sessions of this task since it was last done, blocking ones first. */
export function flagsPart({ readModel, task, lastDone, limit }: Context): Part {
  const found = readModel.all(OF_TASK, { task: task.id, after: lastDone });
  return {
    name: "flags",
    heading: "Problems that sessions of this task reported",
    why: "flags of this task since its last done",
    entries: joined(found).map((flag) => describe(flag, limit(1 / 48), `${flag.severity} flag of this task`)),
    required: false,
  };
}

/** Blocking problems reported on unfinished tasks of the same feature. */
export function featureFlagsPart({ readModel, task, limit }: Context): Part {
  const found = readModel.all(OF_FEATURE, { feature: task.feature, task: task.id });
  return {
    name: "feature_flags",
    heading: "Problems that block other tasks of the feature",
    why: "blocking flags of unfinished tasks of the feature",
    entries: joined(found).map((flag) =>
      describe(flag, limit(1 / 48), `blocking flag of task ${flag.task_id}`, ` in task ${flag.task_id}`),
    ),
    required: false,
  };
}

const OF_TASK = question<{ task: number; after: number }>()((tables, given) =>
  tables
    .selectFrom("flags")
    .selectAll()
    .where("task_id", "=", given("task"))
    .where("id", ">", given("after"))
    .orderBy(({ case: when }) =>
      when("severity").when("blocking").then(0).when("warning").then(1).else(2).end(),
    )
    .orderBy("id", "desc")
    .limit(300),
);

const OF_FEATURE = question<{ feature: string; task: number }>()((tables, given) =>
  tables
    .selectFrom("tasks as t")
    .crossJoin("flags as f")
    .selectAll("f")
    .whereRef("f.task_id", "=", "t.id")
    .where("t.feature", "=", given("feature"))
    .where("t.id", "<>", given("task"))
    .where("t.status", "not in", ["done", "skipped"])
    .where("f.severity", "=", "blocking")
    .where(({ eb, fn, lit, selectFrom }) =>
      eb(
        "f.id",
        ">",
        fn.coalesce(
          selectFrom("status_changes as c")
            .select((c) => c.fn.max("c.position").as("position"))
            .whereRef("c.task_id", "=", "t.id")
            .where("c.to_status", "=", "done")
            .$asScalar(),
          lit(0),
        ),
      ),
    )
    .orderBy("f.id", "desc")
    .limit(100),
);

interface JoinedFlag extends Flag {
  readonly positions: readonly number[];
}

/** Flags with the same words are merged: the most severe or newest one stays. */
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
