import { eventAt } from "../../events/event-at.ts";
import { type FoundText, type WithoutTexts, withoutTexts } from "../../events/redaction/without-texts.ts";
import { definitionOf, type Event } from "../../events/types/index.ts";
import { withVia } from "../../events/types/via.ts";
import { LogError } from "../../lib/log-error.ts";
import { toSeconds } from "../../lib/time.ts";
import { type Decision, type DecisionOptions, decide } from "../decide.ts";
import { Refusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { checkTitle, referencesKept, staysAsItIs, subjectOf, withFields } from "./redaction-effects.ts";

export interface RedactionInput {
  /** The position of the event to redact. */
  readonly position: number;
  /** The reason, which stays in the log. */
  readonly reason: string;
  /** Paths such as `summary` or `options.1`; absent: all free texts. */
  readonly fields?: readonly string[] | undefined;
}

/** A preview of a redaction. */
export interface PlannedRedaction {
  readonly target: Event;
  readonly removed: readonly FoundText[];
  readonly decision: Decision<"event.redacted">;
}

/**
 * Previews a redaction.
 *
 * @throws Refusal `not_found`, `already_decided`, `nothing_to_do`, `not_possible`: the request
 * cannot be done
 */
export async function planRedaction(
  { log }: Pick<Store, "log">,
  { position, reason, fields }: RedactionInput,
): Promise<PlannedRedaction> {
  const target = await eventAt(log, position);
  const payload_hash = await log.payloadHash(position);
  if (!target || payload_hash === undefined) {
    throw new Refusal(
      "not_found",
      `There is no event at position ${position}; the log ends at ${await log.head()}.`,
    );
  }
  if (target.redacted !== undefined) throw await alreadyRedacted({ log }, target, target.redacted);
  const { type, payload } = target;
  const definition = definitionOf(type);
  if (!definition) {
    throw new Refusal(
      "not_possible",
      `Event ${position} is a ${type}, which another program defines: its texts are not known here. Redact it there, with \`redactEvent\`.`,
    );
  }
  const without = withoutTexts(type, payload, fields);
  checkFound(target, without, fields);
  checkReason(reason, without.removed);
  const subject = subjectOf(target);
  const stays = await staysAsItIs({ log }, subject);
  const decision: Decision<"event.redacted"> = {
    type: "event.redacted",
    input: { position, reason, fields },
    plan(state) {
      const references = referencesKept(state, subject, without);
      const left = withFields(without.kept, subject.prefix, { ...stays, ...references });
      const kept = withVia(left, target.via);
      checkTitle(state, subject, without);
      return [
        {
          type: "event.redacted",
          payload: { position, type, schema_version: definition.version, reason, payload_hash, kept },
          ...(target.correlation !== undefined && { correlation: target.correlation }),
        },
      ];
    },
  };
  const stay = new Set(Object.keys(stays).map((field) => `${subject.prefix}${field}`));
  return { target, removed: without.removed.filter(({ path }) => !stay.has(path)), decision };
}

/**
 * Redacts an event in the log: its payload is gone when this returns. Files beside the log are not
 * checked.
 *
 * @throws Refusal as `planRedaction`; LogError `busy`, `disk`
 */
export async function takeRedaction(
  store: Store,
  { target, decision }: PlannedRedaction,
  by: Pick<DecisionOptions, "actor" | "via">,
): Promise<Event> {
  try {
    const [redaction] = await decide(store, decision, by);
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
  const redaction = await eventAt(log, by);
  const what = redaction ? ` on ${toSeconds(redaction.recordedAt)} UTC by ${redaction.actor}` : "";
  return new Refusal(
    "already_decided",
    `Event ${position} is already redacted, at position ${by}${what}. To remove more of the text ` +
      `that is left, redact ${by}.`,
  );
}

function checkFound(
  { position, type, payload }: Event,
  { removed }: WithoutTexts,
  fields?: readonly string[],
): void {
  const all = withoutTexts(type, payload).removed.map(({ path }) => path);
  const none = "It holds only names, ids, numbers and choices, which the history needs.";
  if (all.length === 0) {
    throw new Refusal("nothing_to_do", `Event ${position}, a ${type}, has no removable text. ${none}`);
  }
  const wrong = fields?.find(
    (field) => !removed.some(({ path }) => path === field || path.startsWith(`${field}.`)),
  );
  if (wrong === undefined) return;
  throw new Refusal(
    "not_found",
    `Event ${position}, a ${type}, has no removable text at "${wrong}"; it has ` +
      `${all.slice(0, 20).join(", ")}.`,
    { field: "fields" },
  );
}

/** The reason stays for ever, so it must not contain a removed text. */
function checkReason(reason: string, removed: readonly FoundText[]): void {
  const repeated = removed.find(
    ({ text }) => text.trim().length >= REPEATED_FROM && reason.includes(text.trim()),
  );
  if (!repeated) return;
  throw new Refusal(
    "not_possible",
    `The reason repeats the text in ${repeated.path} and would keep it in the log. Give a reason ` +
      "without that text.",
    { field: "reason" },
  );
}

/** Shorter texts may occur in a reason by chance. */
const REPEATED_FROM = 4;
