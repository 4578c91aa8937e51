import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

interface WindowedProps {
  readonly label: string;
  readonly count: number;
  /** In pixels; a row that turns out otherwise is measured. */
  readonly rowHeight: number;
  /** The row that is to be seen when the list is first shown, or when this becomes another row. */
  readonly show?: number | undefined;
  /** Where in sight it is to be; `auto`: wherever the least is scrolled. */
  readonly align?: "center" | "end" | "auto";
  /** The row, by its key, that does not move on the screen whatever comes or goes before it, as far as there is room. */
  readonly still?: string | number | undefined;
  row(index: number): ComponentChildren;
  /** What names a row, so that it keeps its height and its place when others come before it. */
  keyOf?(index: number): string | number;
  /** Told which rows are shown. */
  onWindow?(first: number, last: number): void;
  /** Told whether the list stands at its start, and at its end. */
  onEdges?(isAtStart: boolean, isAtEnd: boolean): void;
}

/** A list of which only the rows in sight are on the page, however many there are. */
export function Windowed(props: WindowedProps) {
  const { label, count, rowHeight, show, align = "center", still, row, keyOf, onWindow, onEdges } = props;
  const box = useRef<HTMLElement>(null);
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  // In pixels, before the first row: as much as rows went away there that held up the one that is still.
  const [room, makeRoom] = useState(0);
  const options = {
    count,
    paddingStart: room,
    estimateSize: () => rowHeight,
    getScrollElement: () => box.current,
    getItemKey: keyOf ?? ((index: number) => index),
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    measureElement,
    overscan: 6,
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = still === undefined ? undefined : () => false;
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  // A row that only has another index, since others came before it, stays where it is.
  const shown = show === undefined ? undefined : (keyOf?.(show) ?? show);
  useEffect(() => {
    if (show !== undefined && count > 0) virtualizer.scrollToIndex(Math.min(show, count - 1), { align });
  }, [virtualizer, shown, count > 0]);
  const items = virtualizer.getVirtualItems();
  const stillAt = items.find(({ key }) => key === still)?.start;
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
      // What scrolling does not make up for: the list is at its end.
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls a list that has the focus
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
