import { LogError } from "../events/log-error.ts";
import { type FoundText, type WithoutTexts, withoutTexts } from "../events/redaction/without-texts.ts";
import { definitionOf, type Event } from "../events/types/index.ts";
import { isMark, REDACTED } from "../events/types/structure.ts";
import { proposedWords } from "../projections/board/proposals.ts";
import { findReferredTask, foldedTitle, numbersIn } from "../projections/board/reference.ts";
import { type Decision, decide } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import type { State } from "./state.ts";
import type { Store } from "./store.ts";

export interface RedactionInput {
  /** Of the event whose texts are to go. */
  readonly position: number;
  /** Why; it stays in the log. */
  readonly reason: string;
  /** Paths such as `summary` or `options.1`; absent: all free texts. */
  readonly fields?: readonly string[] | undefined;
}

/** What a redaction will do, before anything is done. */
export interface PlannedRedaction {
  readonly target: Event;
  readonly removed: readonly FoundText[];
  readonly decision: Decision<"event.redacted">;
}

/**
 * Looks what a redaction would remove.
 *
 * @throws Refusal `not_found`, `already_decided`, `nothing_to_do`, `not_possible`: nothing can be redacted as it was asked
 */
export async function planRedaction(
  { log }: Pick<Store, "log">,
  { position, reason, fields }: RedactionInput,
): Promise<PlannedRedaction> {
  const [target] = await log.read(position - 1, 1);
  const payload_hash = await log.payloadHash(position);
  if (!target || payload_hash === undefined) {
    throw new Refusal(
      "not_found",
      `There is no event at position ${position}; the log's head is ${await log.head()}.`,
    );
  }
  if (target.redacted !== undefined) throw await alreadyRedacted({ log }, target, target.redacted);
  const { type, payload } = target;
  const without = withoutTexts(type, payload, fields);
  checkFound(target, without, fields);
  checkReason(reason, without.removed);
  const stays = await staysAsItIs({ log }, target);
  const decision: Decision<"event.redacted"> = {
    type: "event.redacted",
    input: { position, reason, fields },
    plan(state) {
      const kept = { ...without.kept, ...stays, ...referencesKept(state, target, without) };
      checkTitle(state, target, without);
      const schema_version = definitionOf(type)?.version ?? 1;
      return [
        {
          type: "event.redacted",
          payload: { position, type, schema_version, reason, payload_hash, kept },
          ...(target.correlation !== undefined && { correlation: target.correlation }),
        },
      ];
    },
  };
  return { target, removed: without.removed.filter(({ path }) => !Object.hasOwn(stays, path)), decision };
}

/**
 * Redacts an event in the log: its payload is gone when this returns. Files beside the log are not looked at.
 *
 * @throws Refusal as `planRedaction`; LogError `busy`, `disk`
 */
export async function takeRedaction(
  store: Store,
  { target, decision }: PlannedRedaction,
  actor: string,
): Promise<Event> {
  try {
    const [redaction] = await decide(store, decision, { actor });
    if (!redaction) throw new Refusal("contention", "The redaction was not recorded; try again.");
    return redaction;
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== "redacted") throw error;
    throw new Refusal("already_decided", error.message, { field: String(target.position) });
  }
}

async function alreadyRedacted(
  { log }: Pick<Store, "log">,
  { position }: Event,
  by: number,
): Promise<Refusal> {
  const [redaction] = await log.read(by - 1, 1);
  const what = redaction
    ? ` on ${redaction.recordedAt.slice(0, 19).replace("T", " ")} UTC by ${redaction.actor}`
    : "";
  return new Refusal(
    "already_decided",
    `Event ${position} is already redacted, at position ${by}${what}. To remove more of what that kept of it, redact ${by}.`,
  );
}

function checkFound(
  { position, type, payload }: Event,
  { removed }: WithoutTexts,
  fields?: readonly string[],
): void {
  const all = withoutTexts(type, payload)
    .removed.filter(({ text }) => !isMark(text))
    .map(({ path }) => path);
  const none = "What it holds are names, ids, numbers and choices, which keep the history together.";
  if (all.length === 0) {
    throw new Refusal(
      "nothing_to_do",
      `Event ${position}, a ${type}, has no text that can be removed. ${none}`,
    );
  }
  const wrong = fields?.find(
    (field) => !removed.some(({ path }) => path === field || path.startsWith(`${field}.`)),
  );
  if (wrong === undefined) return;
  throw new Refusal(
    "not_found",
    `Event ${position}, a ${type}, has no text at "${wrong}" that can be removed; it has ${all.slice(0, 20).join(", ")}.`,
    { field: "fields" },
  );
}

/** The reason stays for ever. */
function checkReason(reason: string, removed: readonly FoundText[]): void {
  const repeated = removed.find(
    ({ text }) => text.trim().length >= REPEATED_FROM && reason.includes(text.trim()),
  );
  if (!repeated) return;
  throw new Refusal(
    "not_possible",
    `The reason repeats what stands in ${repeated.path} and would keep it in the log. Say why without saying what.`,
    { field: "reason" },
  );
}

/** Shorter texts may stand in a reason by chance. */
const REPEATED_FROM = 4;

/** The name of a feature that was there is in other events, and decides where the proposed task belongs. */
async function staysAsItIs(
  { log }: Pick<Store, "log">,
  { type, payload }: Event,
): Promise<Record<string, unknown>> {
  if (type !== "signal.suggest" || payload.feature === undefined) return {};
  const wasThere = (await log.streamVersion(`feature-${payload.feature}`)) > 0;
  return wasThere ? { feature: payload.feature } : {};
}

/** The text of a blocker goes but for the numbers of the tasks that it names: to these it stays linked. */
function referencesKept(
  state: State,
  { position, type, payload }: Event,
  { removed }: WithoutTexts,
): Record<string, unknown> {
  if (type !== "signal.blocked" || payload.kind !== "upstream_task") return {};
  if (!removed.some(({ path }) => path === "on")) return {};
  const named = [...numbersIn(payload.on)].filter((id) => state.tasks.get(id));
  const linked =
    state.blockers.get(position)?.depends_on ?? findReferredTask(state, payload.on, payload.task);
  const ids = linked === null || linked === undefined ? named : [linked];
  return { on: [...new Set(ids)].map((id) => `task ${id} `).join("") + REDACTED };
}

/** A blocker that names a task by its title has the title in its own text, and would lose its link. */
function checkTitle(state: State, { type, payload }: Event, { removed }: WithoutTexts): void {
  const isGone = (path: string) => removed.some((text) => text.path === path);
  const title =
    (type === "task.created" || type === "task.changed") && isGone("title")
      ? payload.title
      : type === "signal.suggest" && payload.kind === "new_task" && isGone("what")
        ? proposedWords(payload).title
        : undefined;
  if (title === undefined) return;
  const { title_folded: folded } = foldedTitle(title);
  const naming = state.blockers.where({}, ({ kind, on, depends_on }) => {
    if (kind !== "upstream_task" || isMark(on) || !on.toLowerCase().includes(folded)) return false;
    return depends_on === null || ![...numbersIn(on)].includes(depends_on);
  });
  if (naming.length === 0) return;
  const positions = naming.map(({ id }) => id).join(", ");
  throw new Refusal(
    "not_possible",
    `This title stands in what other events are blocked on (${positions}), by which they are linked to tasks. Redact these first: the links stay then.`,
  );
}
