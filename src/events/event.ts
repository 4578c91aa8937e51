import type { z } from "zod";
import type { IsoTime } from "../lib/time.ts";

/**
 * Declares an event type: its payload, its stream, and its text in a timeline.
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
 * @throws Error: the version is not a whole number from 1 on; an upcaster between two versions is missing, or one starts at the current version
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
  /** One sentence: what this event in the log means. */
  readonly description: string;
  readonly payload: Payload;
  /** The stream of the thing that the event is about: `task-7`, `session-abc`, `feature-auth`, `project`. */
  stream(payload: z.infer<Payload>): string;
  /** What a person reads in a timeline: markdown. */
  timeline(payload: z.infer<Payload>): string;
  /** A payload that tests append and docs print. */
  readonly example: z.infer<Payload>;
  /**
   * `upcasters[n]` turns a payload of schema version n into version n + 1; every earlier version
   * needs one.
   */
  readonly upcasters?: Readonly<
    Record<number, (payload: Record<string, unknown>) => Record<string, unknown>>
  >;
}

/** Without the upcaster, an old payload would be read as a current one. */
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
      `${type} has version ${version} but no upcaster from version ${missing} to ${missing + 1}. Add ` +
        "it to `upcasters`.",
    );
  }
  if (excess !== undefined) {
    throw new Error(
      `${type} has version ${version} but also an upcaster from version ${excess}. Raise the version, ` +
        "or remove the upcaster.",
    );
  }
}

/** How an act of a human came (docs/rules.md, Who acted). */
export interface Via {
  readonly channel: "terminal" | "page" | "notice" | "tracker" | "program";
  /** The terminal, as the system names it: `pts/3`. */
  readonly tty?: string | undefined;
  /** The program that called, or that carried the act here, such as `bash` or `slack`. */
  readonly program?: string | undefined;
}

/** An event to append: no position, stream version or time yet. */
export interface NewEvent<Type extends string = string, Payload = unknown> {
  /** A lower-case UUID; the idempotency key. Absent: the environment gives one. */
  readonly id?: string;
  readonly type: Type;
  readonly payload: Payload;
  /** Who acted, from the launch configuration and never from a tool's input: `agent`, `human`, `driver`, … */
  readonly actor: string;
  /** The id of the event, or of the idempotent command, that caused this one. */
  readonly causation?: string;
  /** The session during which this happened. */
  readonly correlation?: string;
  /** How an act of a human came; not kept with own events. */
  readonly via?: Via | undefined;
}

/** A stored event, its payload upcast to the current schema version. */
export interface StoredEvent<Type extends string = string, Payload = unknown> {
  readonly position: number;
  readonly id: string;
  readonly stream: string;
  readonly streamVersion: number;
  readonly type: Type;
  /** The schema version that it was written with; `payload` has the current one. */
  readonly schemaVersion: number;
  readonly payload: Payload;
  readonly recordedAt: IsoTime;
  readonly actor: string;
  readonly causation?: string;
  readonly correlation?: string;
  /** How an act of a human came; absent of anybody else, and of acts that older versions recorded. */
  readonly via?: Via;
  /** Hex; see leaf-hash.ts. */
  readonly leafHash: string;
  /** The position of the redaction that removed texts from the payload; absent if none did. */
  readonly redacted?: number;
}
