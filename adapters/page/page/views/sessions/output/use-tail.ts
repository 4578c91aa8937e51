import { useReducer, useRef } from "preact/hooks";
import type { OutputEntry } from "./loaded.ts";
import type { OutputRow } from "./rows.ts";

/**
 * Follows the end of a list until its reader scrolls up, and again once the reader is at the end.
 * It never moves a reader who has scrolled up, and counts the rows that came since.
 *
 * @param begins whether it follows at first
 */
export function useTail(begins: boolean) {
  const isFollowing = useRef(begins);
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const seen = useRef<OutputEntry | undefined>(undefined);
  // A growing list scrolls, too: only after one of these is it the reader.
  const wishedAt = useRef(Number.NEGATIVE_INFINITY);
  const wish = () => {
    wishedAt.current = performance.now();
  };
  const follow = (isWished: boolean) => {
    if (isFollowing.current === isWished) return;
    isFollowing.current = isWished;
    draw(undefined);
  };
  return {
    isFollowing,
    unseen(rows: readonly OutputRow[]): number {
      const end = rows.at(-1)?.entry;
      if (isFollowing.current || seen.current === undefined) seen.current = end;
      return rows.length - 1 - rows.findLastIndex(({ entry }) => entry.at <= (seen.current?.at ?? 0));
    },
    follow: () => follow(true),
    /** For the element around the list. */
    events: {
      onWheel: ({ deltaY }: WheelEvent) => deltaY < 0 && wish(),
      onTouchMove: wish,
      onKeyDown: ({ key, shiftKey }: KeyboardEvent) => {
        if (UPWARDS.has(key) || (key === " " && shiftKey)) wish();
      },
      onFocusIn: wish,
      // On the scroll bar.
      onPointerDown: wish,
      onScrollCapture: ({ target }: Event) => {
        if (!(target instanceof HTMLElement) || !target.classList.contains("windowed")) return;
        const isAtEnd = target.scrollHeight - target.scrollTop - target.clientHeight < END_PX;
        if (isAtEnd) follow(true);
        else if (performance.now() - wishedAt.current < WISH_MS) follow(false);
      },
    },
  };
}

const UPWARDS: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home"]);
const END_PX = 8;
const WISH_MS = 1_000;
