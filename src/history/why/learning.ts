import type { EventLog } from "../../events/log.ts";
import { learningSources, learningsTable } from "../../projections/learnings.ts";
import type { Row } from "../../projections/table.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { type CitedEvent, citationsIn, eventsOfLearning } from "./cited-events.ts";
import { promptsWith } from "./item.ts";

/** The sources of a learning, the human decisions about it, and the prompts that contained it. */
export interface LearningReasons {
  readonly kind: "learning";
  readonly at: number;
  /** The entry's id: the position of its first report. */
  readonly id: number;
  readonly text: string;
  readonly scope: string;
  /** The realm within which it is compared: the project, a feature, a task. */
  readonly realm: string;
  /** A human's decision about it, as of now. */
  readonly mark: Row<typeof learningsTable>["mark"];
  /**
   * Human acts on this entry, newest first: pinned, retired or released it, or split off a wrongly
   * merged report. The act that split this entry off another one is an act on that one.
   */
  readonly acts: readonly number[];
  /** All reports merged into the entry, ascending; the first gave it its words. */
  readonly said: readonly number[];
  readonly prompts: readonly { readonly session: string; readonly position: number }[];
  readonly events: readonly CitedEvent[];
}

/** @param position of any of its reports. @returns undefined if there is no learning */
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
