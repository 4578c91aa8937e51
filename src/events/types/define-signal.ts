import { z } from "zod";
import { defineEvent, type EventDefinition } from "../event.ts";
import { sessionId, sessionStream, taskId } from "./fields.ts";

/**
 * Fields of every signal besides the verb's arguments; set by the server, never by the tool's
 * input.
 */
const origin = { task: taskId, session: sessionId };

export interface SignalDefinition<V extends string, Arguments extends z.ZodRawShape>
  extends EventDefinition<`signal.${V}`, z.ZodObject<Arguments & typeof origin, z.core.$strict>> {
  readonly verb: V;
  /** True for done, partial and stuck: the one that counts decides the session's outcome. */
  readonly closing: boolean;
  readonly title: string;
  /** The arguments that an agent may pass. */
  readonly arguments: z.ZodObject<Arguments, z.core.$strict>;
}

/** Declares a verb: its event `signal.<verb>`, its tool and its timeline text. */
export function defineSignal<const V extends string, Arguments extends z.ZodRawShape>(signal: {
  verb: V;
  closing?: boolean;
  title: string;
  description: string;
  arguments: z.ZodObject<Arguments, z.core.$strict>;
  timeline(values: z.infer<z.ZodObject<Arguments, z.core.$strict>>): string;
  example: z.infer<z.ZodObject<Arguments, z.core.$strict>>;
}): SignalDefinition<V, Arguments> {
  // An intersection of object types is the type of the extended object; zod's `extend` types it
  // less directly.
  const payload = z.strictObject({ ...signal.arguments.shape, ...origin }) as SignalDefinition<
    V,
    Arguments
  >["payload"];
  const event = defineEvent({
    type: `signal.${signal.verb}` as const,
    version: 1,
    description: signal.description,
    payload,
    // Every payload extends the verb's arguments by its origin; the compiler cannot see that
    // through a generic type.
    stream: (values) => sessionStream(values as { session: string }),
    timeline: (values) => signal.timeline(values as z.infer<z.ZodObject<Arguments, z.core.$strict>>),
    example: { ...signal.example, task: 7, session: "s-1" } as z.infer<typeof payload>,
  });
  return Object.freeze({
    ...event,
    verb: signal.verb,
    closing: signal.closing ?? false,
    title: signal.title,
    arguments: signal.arguments,
  });
}

/**
 * The payload of a signal: the arguments as given, where it came from, and nothing for what is absent
 * (docs/rules.md, The eight verbs: empty options are as if absent).
 */
export function signalPayload(
  args: Record<string, unknown>,
  { task, session }: { task: number; session: string },
): Record<string, unknown> {
  const given = Object.entries(args).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return { ...Object.fromEntries(given), task, session };
}

/**
 * Parts are separated by one blank line; absent parts add nothing (docs/rules.md, Timeline
 * text).
 */
export function paragraphs(...parts: readonly (string | number | undefined | false)[]): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n\n");
}
