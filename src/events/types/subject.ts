/** The task that an event's payload names, or undefined where it names none. */
export function taskIn(payload: { readonly task?: number | undefined } | object): number | undefined {
  return "task" in payload ? payload.task : undefined;
}
