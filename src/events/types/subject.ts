import type { Event } from "./index.ts";

/** The session that an event names, or during which it happened. */
export function sessionIn({ payload, correlation }: Event): string | undefined {
  return ("session" in payload ? payload.session : undefined) ?? correlation;
}

/** The tasks that an event's payload names: its own, or those of a plan that were decided together. */
export function tasksIn(payload: object): readonly number[] {
  if ("tasks" in payload && Array.isArray(payload.tasks)) return payload.tasks;
  return [taskIn(payload) ?? []].flat();
}

/** The task that an event's payload names; undefined if it names none. */
export function taskIn(payload: { readonly task?: number | undefined } | object): number | undefined {
  return "task" in payload ? payload.task : undefined;
}
