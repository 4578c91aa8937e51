import { question } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** What became of something that was told: an entry of its own, or one more source of what was there. */
export interface KeptLearning {
  /** The entry's id. */
  readonly learning: number;
  /** True if the entry was there before. */
  readonly joined: boolean;
  /** How often it was said, this time included. */
  readonly confirmations: number;
  /** The entry's words, those of the first time. */
  readonly text: string;
}

/**
 * What became of the learning that was told at a position, as it was then: the same for ever.
 *
 * @throws RangeError: no learning was told there
 */
export function keptLearning(readModel: ReadView, position: number): KeptLearning {
  const entry = readModel.get(AS_IT_WAS, { position });
  if (!entry) throw new RangeError(`There is no learning at position ${position}.`);
  return { ...entry, joined: entry.learning !== position };
}

const AS_IT_WAS = question<{ position: number }>()((tables, given) =>
  tables
    .selectFrom("learning_sources as told")
    .innerJoin("learning_sources as s", (join) =>
      join.onRef("s.learning_id", "=", "told.learning_id").onRef("s.id", "<=", "told.id"),
    )
    .innerJoin("learnings as l", "l.id", "told.learning_id")
    .where("told.id", "=", given("position"))
    .groupBy("l.id")
    .select((column) => ["l.id as learning", column.fn.countAll<number>().as("confirmations"), "l.text"]),
);
