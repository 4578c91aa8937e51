import type { EventLog } from "../../events/log.ts";
import { learningSources, learningsTable } from "../../projections/learnings.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import type { Row } from "../../projections/table.ts";
import { type CitedEvent, citationsIn, eventsOfLearning } from "./cited-events.ts";
import { promptsWith } from "./item.ts";

/** Where something that was learned comes from, what humans decided about it, and which prompts said it. */
export interface LearningReasons {
  readonly kind: "learning";
  readonly at: number;
  /** The entry's id: the position at which it was said first. */
  readonly id: number;
  readonly text: string;
  readonly scope: string;
  /** What it is compared within: the project, a feature, a task. */
  readonly realm: string;
  /** What a human decided of it, as it is now. */
  readonly mark: Row<typeof learningsTable>["mark"];
  /**
   * What humans did with this entry, the last first: pinned, retired or released it, or took out of it what had been joined wrongly. What made it an entry
   * of its own, if it was taken out of another one, is an act on that one.
   */
  readonly acts: readonly number[];
  /** Everything that was said and joined under the entry, ascending; the first is the entry's own words. */
  readonly said: readonly number[];
  readonly prompts: readonly { readonly session: string; readonly position: number }[];
  readonly events: readonly CitedEvent[];
}

/** @param position of anything that was said of it. @returns undefined where nothing was learned there */
export async function whyLearning(
  readModel: ReadModel,
  log: EventLog,
  position: number,
): Promise<LearningReasons | undefined> {
  const rows = readModel.rowsOf({ learnings: learningsTable, sources: learningSources });
  const entry = rows.learnings.get(rows.sources.get(position)?.learning_id ?? position);
  if (!entry) return undefined;
  const { id, text, scope, realm, mark } = entry;
  const at = readModel.position();
  const said = rows.sources.where({ learning_id: id }).map((source) => source.id);
  const acts = (await eventsOfLearning(log, id, at)).map((event) => event.position).reverse();
  const prompts = promptsWith(readModel, id);
  const events = await citationsIn(readModel, log)([...said, ...acts]);
  return { kind: "learning", at, id, text, scope, realm, mark, acts, said, prompts, events };
}
