import { anyText, defineFilter, type FilterOf, taskNumber } from "../../filter.ts";

/** The filter of the log, in the address and in requests. The server checks the type. */
export const logFilter = defineFilter({
  type: anyText,
  task: taskNumber,
  session: anyText,
  actor: anyText,
  text: anyText,
});

export type LogFilter = FilterOf<typeof logFilter>;

/** The first word of an event's type: `gate` of `gate.acted`. */
export function familyOf(type: string): string {
  return type.slice(0, type.indexOf("."));
}
