import type { z } from "zod";
import type { IsoTime } from "./time.ts";

/**
 * Declares one type of event: what it carries, whose stream it belongs to, how a timeline shows it.
 *
 * @example
 * export const commentAdded = defineEvent({
 *   type: "comment.added",
 *   version: 1,
 *   description: "Someone wrote a comment on a task.",
 *   payload: z.strictObject({ task: taskId, author: name, body: text }),
 *   stream: (payload) => `task-${payload.task}`,
 *   timeline: (payload) => payload.body,
 *   example: { task: 7, author: "human", body: "Also test unicode URLs please." },
 * });
 *
 * @throws Error: the version is no whole number from 1 on; an upcaster from an earlier version to the next is missing, or there is one from the present version on
 */
export function defineEvent<const Type extends string, Payload extends z.ZodObject>(
  definition: EventDefinition<Type, Payload>,
): EventDefinition<Type, Payload> {
  checkUpcasters(definition);
  return Object.freeze(definition);
}

export interface EventDefinition<Type extends string = string, Payload extends z.ZodObject = z.ZodObject> {
  /** Family, dot, what happened: `session.started`. */
  readonly type: Type;
  /** The schema version that `payload` describes; the first is 1. */
  readonly version: number;
  /** One sentence: what it means that this event is in the log. */
  readonly description: string;
  readonly payload: Payload;
  /** The stream of the thing that the event is about: `task-7`, `session-abc`, `feature-auth`, `project`. */
  stream(payload: z.infer<Payload>): string;
  /** What a person reads in a timeline: markdown. */
  timeline(payload: z.infer<Payload>): string;
  /** A payload that tests append and docs print. */
  readonly example: z.infer<Payload>;
  /** `upcasters[n]` turns a payload of schema version n into one of version n + 1; there is one for each earlier version. */
  readonly upcasters?: Readonly<
    Record<number, (payload: Record<string, unknown>) => Record<string, unknown>>
  >;
}

/** A payload of an older version would be taken for one of the present. */
function checkUpcasters<Payload extends z.ZodObject>({
  type,
  version,
  upcasters = {},
}: EventDefinition<string, Payload>): void {
  if (!Number.isInteger(version) || version < 1) {
    throw new Error(`${type} has version ${version}. Versions are 1, 2, 3, …`);
  }
  const found = Object.keys(upcasters).map(Number);
  const needed = Array.from({ length: version - 1 }, (_, index) => index + 1);
  const missing = needed.find((step) => !found.includes(step));
  const excess = found.find((step) => !needed.includes(step));
  if (missing !== undefined) {
    throw new Error(
      `${type} has version ${version} and no upcaster from version ${missing} to ${missing + 1}. Add it to \`upcasters\`.`,
    );
  }
  if (excess !== undefined) {
    throw new Error(
      `${type} has version ${version} and an upcaster from version ${excess}. Raise the version, or remove the upcaster.`,
    );
  }
}

/** What goes into the log: an event without its place. */
export interface NewEvent<Type extends string = string, Payload = unknown> {
  /** A lower-case UUID; the idempotency key. Absent: the environment gives one. */
  readonly id?: string;
  readonly type: Type;
  readonly payload: Payload;
  /** Who acted, from the launch configuration and never from a tool's input: `agent`, `human`, `driver`, … */
  readonly actor: string;
  /** The id of the event, or of the command with a key, that led to this one. */
  readonly causation?: string;
  /** The session in whose course this happened. */
  readonly correlation?: string;
}

/** An event as the log holds it, its payload brought up to the present schema version. */
export interface StoredEvent<Type extends string = string, Payload = unknown> {
  readonly position: number;
  readonly id: string;
  readonly stream: string;
  readonly streamVersion: number;
  readonly type: Type;
  /** The schema version under which it was written; `payload` is of the present one. */
  readonly schemaVersion: number;
  readonly payload: Payload;
  readonly recordedAt: IsoTime;
  readonly actor: string;
  readonly causation?: string;
  readonly correlation?: string;
  /** Hex; see leaf-hash.ts. */
  readonly leafHash: string;
  /** The position of the redaction that removed texts of the payload; absent where nothing was removed. */
  readonly redacted?: number;
}
