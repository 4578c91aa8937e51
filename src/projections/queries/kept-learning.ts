import type { ReadModel } from "../read-model.ts";

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
export function keptLearning(readModel: ReadModel, position: number): KeptLearning {
  const entry = readModel
    .prepared<[number], Omit<KeptLearning, "joined">>(
      `SELECT l.id AS learning, count(*) AS confirmations, l.text
       FROM learning_sources told JOIN learning_sources s ON s.learning_id = told.learning_id AND s.id <= told.id
         JOIN learnings l ON l.id = told.learning_id
       WHERE told.id = ? GROUP BY l.id`,
    )
    .get(position);
  if (!entry) throw new RangeError(`No learning was told at position ${position}.`);
  return { ...entry, joined: entry.learning !== position };
}
