import type { WithoutTexts } from "../events/redaction/without-texts.ts";
import type { Event } from "../events/types/index.ts";
import { REDACTION_TYPE } from "../events/types/redactions.ts";
import { isMark, REDACTED } from "../events/types/structure.ts";
import { proposedWords } from "../projections/board/proposals.ts";
import { findReferredTask, foldedTitle, numbersIn } from "../projections/board/reference.ts";
import { Refusal } from "./refusal.ts";
import type { State } from "./state.ts";
import type { Store } from "./store.ts";

/*
 * Three texts decide something on the board: what a blocker is on, the title of a task, and the feature of a suggestion. A
 * redaction must leave what they decided as it is.
 */

/** The event that a redaction is about: that of which an earlier redaction kept something, where it is of one. */
export interface Subject {
  readonly event: Event;
  /** Before the paths of its fields: `kept.` for each redaction around it. */
  readonly prefix: string;
}

export function subjectOf(event: Event, prefix = ""): Subject {
  if (event.type !== REDACTION_TYPE) return { event, prefix };
  const { position, type, kept } = event.payload;
  // What is kept was checked against the schema of its type when the redaction was appended.
  return subjectOf({ ...event, position, type, payload: kept } as unknown as Event, `${prefix}kept.`);
}

/** What is kept of a payload, with some fields of the subject's own as they are to be. */
export function withFields(
  kept: Record<string, unknown>,
  prefix: string,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  if (prefix === "") return { ...kept, ...fields };
  const inner = kept.kept as Record<string, unknown>;
  return { ...kept, kept: withFields(inner, prefix.slice("kept.".length), fields) };
}

/** The name of a feature that was there is in other events, and decides where the proposed task belongs. */
export async function staysAsItIs(
  { log }: Pick<Store, "log">,
  { event: { type, payload } }: Subject,
): Promise<Record<string, unknown>> {
  if (type !== "signal.suggest" || payload.feature === undefined) return {};
  const wasThere = (await log.streamVersion(`feature-${payload.feature}`)) > 0;
  return wasThere ? { feature: payload.feature } : {};
}

/** The text of a blocker goes but for the numbers of the tasks that it names: to these it stays linked. */
export function referencesKept(
  state: State,
  { event: { position, type, payload }, prefix }: Subject,
  { removed }: WithoutTexts,
): Record<string, unknown> {
  if (type !== "signal.blocked" || payload.kind !== "upstream_task") return {};
  if (!removed.some(({ path }) => path === `${prefix}on`)) return {};
  const named = [...numbersIn(payload.on)].filter((id) => state.tasks.get(id));
  const linked =
    state.blockers.get(position)?.depends_on ?? findReferredTask(state, payload.on, payload.task);
  const ids = linked === null || linked === undefined ? named : [linked];
  return { on: [...new Set(ids)].map((id) => `task ${id} `).join("") + REDACTED };
}

/** A blocker that names a task by its title has the title in its own text, and would lose its link. @throws Refusal `not_possible` */
export function checkTitle(
  state: State,
  { event: { type, payload }, prefix }: Subject,
  { removed }: WithoutTexts,
): void {
  const isGone = (path: string) => removed.some((text) => text.path === `${prefix}${path}`);
  const title =
    (type === "task.created" || type === "task.changed") && isGone("title")
      ? payload.title
      : type === "signal.suggest" && payload.kind === "new_task" && isGone("what")
        ? proposedWords(payload).title
        : undefined;
  if (title === undefined) return;
  const { title_folded: folded } = foldedTitle(title);
  const naming = state.blockers.scan(({ kind, on, depends_on }) => {
    if (kind !== "upstream_task" || isMark(on) || !on.toLowerCase().includes(folded)) return false;
    return depends_on === null || ![...numbersIn(on)].includes(depends_on);
  });
  if (naming.length === 0) return;
  const positions = naming.map(({ id }) => id).join(", ");
  throw new Refusal(
    "not_possible",
    `Other events (${positions}) name this title as their blocker and are linked to the task by it. ` +
      "Redact those first to keep the links.",
  );
}
