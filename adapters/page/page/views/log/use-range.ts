import { useRef } from "preact/hooks";
import { useAnswer } from "../../answers.ts";
import { isFiltered } from "../../filter.ts";
import type { Bounds } from "./filter.ts";

/** The positions within the bounds, both included. */
export interface Range {
  readonly from: number;
  /** Infinity without an upper bound. */
  readonly to: number;
}

const ALL: Range = { from: 1, to: Number.POSITIVE_INFINITY };

/**
 * The positions within the bounds; `range` is undefined until the server has told, and where a bound is wrong. The first
 * position stays as it was when the bounds were set: of "2 hours ago", too.
 */
export function useRange(bounds: Bounds) {
  const isBounded = isFiltered(bounds);
  const { answer, isOld, error } = useAnswer("log_range", bounds, { enabled: isBounded, at: undefined });
  const told = isBounded && !isOld ? answer : undefined;
  const of = JSON.stringify(bounds);
  const began = useRef<{ readonly of: string; readonly from: number } | undefined>(undefined);
  if (told?.range && began.current?.of !== of) began.current = { of, from: told.range.from };
  const range: Range | undefined = told?.range
    ? { from: began.current?.from ?? told.range.from, to: told.range.to ?? ALL.to }
    : undefined;
  return {
    isBounded,
    range: isBounded ? range : ALL,
    wrong: told?.wrong ?? {},
    error: isBounded ? error : undefined,
  };
}
