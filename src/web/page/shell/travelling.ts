import { type Address, moveTo, useAddress } from "../address.ts";
import { live } from "../live.ts";
import { useStore } from "../store.ts";

/** Where in the log the page is, and how it gets elsewhere. */
export interface Travelling {
  /** The last position of the log; while the server has not told of it, that in the address, or 0. */
  readonly head: number;
  readonly isEndKnown: boolean;
  /** The position that is shown: the head, where the present is. */
  readonly position: number;
  readonly isPast: boolean;
  /** The range that the time bar shows: positions after `from`, up to `to`. */
  readonly from: number;
  readonly to: number;
  readonly isZoomed: boolean;
  /** Shows the nearest position that there is; the head is the present. For one of many on the way, as a slider gives them. */
  move(position: number): void;
  /** The same for one that somebody may want to go back from. */
  jump(position: number): void;
  /** Shows the present. */
  goToNow(): void;
  /** Shows the range; as good as the whole log is the whole log. */
  zoom(from: number, to: number): void;
}

export function useTravelling(): Travelling {
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
      // Going along must not fill what "back" goes through.
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
/** What halving and doubling leave of the whole, by rounding. */
const AS_GOOD_AS_ALL = 0.98;

function rangeIn(address: Address, head: number): [number, number] | undefined {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(address.get("range") ?? "");
  const [from, to] = [Number(match?.[1]), Math.min(Number(match?.[2]), head)];
  return match && from < to ? [from, to] : undefined;
}
