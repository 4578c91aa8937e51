import type { EventLog } from "../../events/log.ts";
import { learningSources, learningsTable } from "../../projections/learnings.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { type CitedEvent, citationsIn } from "./cited-events.ts";
import { promptsWith } from "./item.ts";

/** Where something that was learned comes from, and which prompts said it. */
export interface LearningReasons {
  readonly kind: "learning";
  readonly at: number;
  /** The entry's id: the position at which it was said first. */
  readonly id: number;
  readonly text: string;
  readonly scope: string;
  /** What it is compared within: the project, a feature, a task. */
  readonly realm: string;
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
  const { id, text, scope, realm } = entry;
  const said = rows.sources.where({ learning_id: id }).map((source) => source.id);
  const prompts = promptsWith(readModel, id);
  const events = await citationsIn(readModel, log)(said);
  return { kind: "learning", at: readModel.position(), id, text, scope, realm, said, prompts, events };
}
