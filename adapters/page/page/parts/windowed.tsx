import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

interface WindowedProps {
  readonly label: string;
  readonly count: number;
  /** An estimate in pixels; rendered rows are measured. */
  readonly rowHeight: number;
  /** The row to scroll to at first, and whenever it changes. */
  readonly show?: number | undefined;
  /** Where to scroll that row to; `auto` scrolls as little as possible. */
  readonly align?: "center" | "end" | "auto";
  /** The key of a row that keeps its place on the screen when rows before it come or go. */
  readonly still?: string | number | undefined;
  row(index: number): ComponentChildren;
  /**
   * A stable key of a row, so that it keeps its height and place when others come before it. While it is the same
   * function, the places of all rows are not computed again: of a million rows that is seen.
   */
  keyOf?(index: number): string | number;
  /** Called with the rendered rows. */
  onWindow?(first: number, last: number): void;
  /** Called when the list reaches or leaves its start or end. */
  onEdges?(isAtStart: boolean, isAtEnd: boolean): void;
}

/** A virtual list: only the rows in view are rendered. */
export function Windowed(props: WindowedProps) {
  const { label, count, rowHeight, show, align = "center", still, row, keyOf, onWindow, onEdges } = props;
  const box = useRef<HTMLElement>(null);
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  // The first rows, then all in view, then those around them: each in a task of its own, so that none takes long.
  const [step, setStep] = useState(0);
  useEffect(() => {
    if (step === EXTENTS.length) return;
    const timer = setTimeout(() => setStep(step + 1));
    return () => clearTimeout(timer);
  }, [step]);
  // Padding in pixels before the first row, in place of removed rows above the still one.
  const [room, makeRoom] = useState(0);
  const options = {
    count,
    paddingStart: room,
    estimateSize: () => rowHeight,
    getScrollElement: () => box.current,
    getItemKey: keyOf ?? ownIndex,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    measureElement,
    rangeExtractor: EXTENTS[step] ?? defaultRangeExtractor,
    overscan: 6,
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = still === undefined ? undefined : () => false;
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  // A row whose index changed because others came before it stays where it is.
  const shown = show === undefined ? undefined : (keyOf?.(show) ?? show);
  useEffect(() => {
    if (show !== undefined && count > 0) virtualizer.scrollToIndex(Math.min(show, count - 1), { align });
  }, [virtualizer, shown, count > 0]);
  const items = virtualizer.getVirtualItems();
  // A page of rows that came before it may have moved it out of view.
  const isStill = ({ key }: { key: string | number | bigint }) => key === still;
  const stillAt =
    still === undefined
      ? undefined
      : (items.find(isStill) ?? virtualizer.measurementsCache.find(isStill))?.start;
  const stood = useRef({ key: still, at: stillAt });
  useLayoutEffect(() => {
    const { key, at } = stood.current;
    stood.current = { key: still, at: stillAt };
    const list = box.current;
    if (!list) return;
    if (still === undefined && room > 0) {
      makeRoom(0);
      list.scrollTop -= room;
    } else if (key === still && at !== undefined && stillAt !== undefined && at !== stillAt) {
      const offset = list.scrollTop;
      list.scrollTop += stillAt - at;
      // At the end of the list, scrolling cannot compensate for all of it.
      const scrolled = list.scrollTop - offset;
      const missing = at + scrolled - stillAt;
      if (Math.abs(missing) < 1) return;
      makeRoom(Math.max(0, room + missing));
      stood.current = { key: still, at: at + scrolled };
    }
  });
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onWindow?.(first, last), [first, last]);
  const offset = virtualizer.scrollOffset ?? 0;
  const isAtStart = offset <= 1;
  const isAtEnd = offset + (virtualizer.scrollRect?.height ?? 0) >= virtualizer.getTotalSize() - 4;
  useEffect(() => onEdges?.(isAtStart, isAtEnd), [isAtStart, isAtEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll
    <section ref={box} class="scroll windowed" aria-label={label} tabIndex={0}>
      <ul class="windowed-rows" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {items.map((item) => (
          <li
            key={item.key}
            ref={(element) => virtualizer.measureElement(element)}
            data-index={item.index}
            aria-setsize={count}
            aria-posinset={item.index + 1}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </li>
        ))}
      </ul>
    </section>
  );
}

const EXTENTS = [
  ({ startIndex, endIndex }: Range) => indexes(startIndex, Math.min(endIndex, startIndex + 3)),
  ({ startIndex, endIndex }: Range) => indexes(startIndex, endIndex),
];

function indexes(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
}

function ownIndex(index: number): number {
  return index;
}
