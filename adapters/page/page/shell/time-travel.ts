import { type Address, moveTo, useAddress } from "../address.ts";
import { live } from "../live.ts";
import { useStore } from "../store.ts";

/** The page's position in the log, and ways to move it. */
export interface TimeTravel {
  /** The last position of the log; until the server reports it, the one in the address, or 0. */
  readonly head: number;
  readonly isEndKnown: boolean;
  /** The shown position; in the present the head. */
  readonly position: number;
  readonly isPast: boolean;
  /** The range that the time bar shows: positions after `from`, up to `to`. */
  readonly from: number;
  readonly to: number;
  readonly isZoomed: boolean;
  /** Shows the nearest existing position without an entry in the browser history, as for a slider. */
  move(position: number): void;
  /** The same, with an entry in the browser history. */
  jump(position: number): void;
  /** Shows the present. */
  goToNow(): void;
  /** Zooms to a range; one that covers almost the whole log shows all of it. */
  zoom(from: number, to: number): void;
}

export function useTimeTravel(): TimeTravel {
  const address = useAddress();
  const told = useStore(live, (value) => value.head);
  const { at } = address;
  const head = told ?? at ?? 0;
  const [from, to] = rangeIn(address, head) ?? [0, head];
  const nearest = (position: number) => {
    const there = Math.max(0, Math.round(position));
    return Math.min(there, told ?? there);
  };
  const isPositionKnown = told !== undefined || at !== undefined;
  const jump = (position: number, replace = false) => {
    const there = nearest(position);
    if (isPositionKnown) address.go({ at: there === told ? undefined : there }, { replace });
  };
  return {
    head,
    isEndKnown: told !== undefined,
    position: at === undefined ? head : Math.min(at, head),
    isPast: at !== undefined,
    from,
    to,
    isZoomed: to - from < head,
    move(position) {
      const there = nearest(position);
      // Moving along must not fill the browser history.
      if (there === told) jump(there, true);
      else if (isPositionKnown) moveTo(there);
    },
    jump,
    goToNow: () => address.go({ at: undefined }),
    zoom(first, last) {
      if (told === undefined) return;
      const middle = (first + last) / 2;
      const half = Math.max(last - first, SMALLEST_RANGE) / 2;
      const start = Math.max(0, Math.round(Math.min(middle - half, head - 2 * half)));
      const end = Math.min(head, Math.round(start + 2 * half));
      const range = end - start >= head * AS_GOOD_AS_ALL ? undefined : `${start}-${end}`;
      address.go({ range }, { replace: true });
    },
  };
}

const SMALLEST_RANGE = 10;
/** Tolerates the rounding of zooming in and out again. */
const AS_GOOD_AS_ALL = 0.98;

function rangeIn(address: Address, head: number): [number, number] | undefined {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(address.get("range") ?? "");
  const [from, to] = [Number(match?.[1]), Math.min(Number(match?.[2]), head)];
  return match && from < to ? [from, to] : undefined;
}
