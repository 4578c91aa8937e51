import { anyText, defineFilter, type FilterOf, oneOf, taskNumber } from "../../filter.ts";

/** The filter of the log, in the address and in requests. The server checks the types and the bounds. */
export const logFilter = defineFilter({
  type: anyText,
  since: anyText,
  until: anyText,
  from: anyText,
  to: anyText,
  after: anyText,
  order: oneOf(["newest_first", "oldest_first"]),
  task: taskNumber,
  session: anyText,
  actor: anyText,
  text: anyText,
});

export type LogFilter = FilterOf<typeof logFilter>;

/** A filter in two parts: what an event must be, and where and in which order it stands. */
export function partsOf({ since, until, from, to, after, order, ...wanted }: LogFilter) {
  return { wanted, bounds: { since, until, from, to, after }, order: order ?? "newest_first" } as const;
}

export type Wanted = ReturnType<typeof partsOf>["wanted"];
export type Bounds = ReturnType<typeof partsOf>["bounds"];
export type Order = ReturnType<typeof partsOf>["order"];

export function typesOf({ type }: Pick<LogFilter, "type">): readonly string[] {
  return type?.split(",") ?? [];
}

/** The first word of an event's type: `gate` of `gate.acted`. */
export function familyOf(type: string): string {
  return type.slice(0, type.indexOf("."));
}
