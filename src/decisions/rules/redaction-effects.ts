import type { WithoutTexts } from "../../events/redaction/without-texts.ts";
import type { Event } from "../../events/types/index.ts";
import { REDACTION_TYPE } from "../../events/types/redactions.ts";
import { isMark, REDACTED } from "../../events/types/structure.ts";
import { proposedWords } from "../../projections/board/proposals.ts";
import { findReferredTask, foldedTitle, numbersIn } from "../../projections/board/reference.ts";
import { Refusal } from "../refusal.ts";
import type { State } from "../state.ts";
import type { Store } from "../store.ts";

/*
 * Three texts affect the board: a blocker's reason, a task's title, and a suggestion's feature. A
 * redaction must not change their effects.
 */

/** The original event of a redaction: through redactions of redactions. */
export interface Subject {
  readonly event: Event;
  /** The prefix of its fields' paths: `kept.` for each redaction around it. */
  readonly prefix: string;
}

export function subjectOf(event: Event, prefix = ""): Subject {
  if (event.type !== REDACTION_TYPE) return { event, prefix };
  const { position, type, kept } = event.payload;
  // The kept part was checked against its type's schema when the redaction was appended.
  return subjectOf({ ...event, position, type, payload: kept } as unknown as Event, `${prefix}kept.`);
}

/** The kept part of a payload, with some of the subject's own fields replaced. */
export function withFields(
  kept: Record<string, unknown>,
  prefix: string,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  if (prefix === "") return { ...kept, ...fields };
  const inner = kept.kept as Record<string, unknown>;
  return { ...kept, kept: withFields(inner, prefix.slice("kept.".length), fields) };
}

/** The name of an existing feature also occurs in other events, and places the proposed task. */
export async function staysAsItIs(
  { log }: Pick<Store, "log">,
  { event: { type, payload } }: Subject,
): Promise<Record<string, unknown>> {
  if (type !== "signal.suggest" || payload.feature === undefined) return {};
  const wasThere = (await log.streamVersion(`feature-${payload.feature}`)) > 0;
  return wasThere ? { feature: payload.feature } : {};
}

/** A blocker's text keeps only the task numbers in it, so that it stays linked to them. */
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

/**
 * A blocker linked by a task's title has that title in its own text, and would lose its link.
 * @throws Refusal `not_possible`
 */
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
