import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { isFiltered } from "../../filter.ts";
import { isWriting, useKeys } from "../../keys.ts";
import { useLastComplete } from "../../last-complete.ts";
import { NoMatches } from "../../parts/no-matches.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { TimelineCard } from "./card.tsx";
import { type CardFilter, cardFilter } from "./filter.ts";
import { pointTo } from "./hash.ts";
import type { PlacedItem } from "./placed-items.ts";
import { PointedElsewhere } from "./pointed-elsewhere.tsx";
import { cardKey, countOf, type Row, rowsOf, type Section, sessionOfCard } from "./rows.ts";
import { SessionHead } from "./session-head.tsx";
import { useCards } from "./use-cards.ts";
import type { Pointed } from "./use-pointed.ts";
import { usePointed } from "./use-pointed.ts";

interface CardListProps {
  readonly id: number;
  /** What waits for a human on the task. */
  readonly items: readonly PlacedItem[];
  readonly sections: readonly Section[];
  /** The position of the sections. */
  readonly position: number | undefined;
  readonly filter: CardFilter;
  readonly isOld: boolean;
}

/** The cards of a task as a virtual list, the newest at the bottom. */
export function CardList({ id, items, sections, position, filter, isOld }: CardListProps) {
  const { at } = useAddress();
  const shownAt = at === undefined ? undefined : position;
  const pointed = usePointed(id, filter);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const opened = pointed.index === undefined ? undefined : sessionOfCard(sections, pointed.index);
  const rowsThen = useMemo(
    () => rowsOf(sections, (section) => isOpen(section, sections, { folds, opened, filter })),
    [sections, folds, opened],
  );
  const { target, goTo, takesFocus } = useTarget(pointed);
  const targetRow = rowsThen.findIndex(({ key }) => key === target);

  // Load the first visible cards before the list is rendered, so that nothing moves.
  const [shown, setShown] = useState<readonly [number, number]>();
  const first = targetRow < 0 ? rowsThen.length - 1 : targetRow;
  const [from, to] = shown ?? [first - FIRST_ROWS, first + FIRST_ROWS];
  const indexes = cardsIn(rowsThen, from, to);
  const cardsThen = useCards({ task: id, filter, at: shownAt, indexes });
  // At another position the old cards stay until the new ones are loaded.
  const then = { shownAt, rows: rowsThen, ...cardsThen };
  const last = useLastComplete("", cardsThen.isReady, then);
  const { rows, cardAt, isReady } = last === undefined || last.shownAt === shownAt ? then : last;
  const begun = useRef<{ readonly lastRow: string } | undefined>(undefined);
  if (isReady && pointed.isKnown && rows.length > 0) begun.current ??= { lastRow: rows.at(-1)?.key ?? "" };

  const current = target ?? begun.current?.lastRow;
  const currentRow = rows.findIndex(({ key }) => key === current);
  const step = (direction: 1 | -1, isWanted: (row: Row) => boolean) => {
    for (let nth = currentRow + direction; nth >= 0 && nth < rows.length; nth += direction) {
      const row = rows[nth];
      if (!row || !isWanted(row)) continue;
      const position = "card" in row ? cardAt(row.card)?.position : undefined;
      goTo(row.key, position);
      if (position !== undefined) pointTo(position);
      return;
    }
  };
  useKeys("Timeline", [
    { key: "n", does: "next card", run: () => step(1, isCard) },
    { key: "p", does: "previous card", run: () => step(-1, isCard) },
    { key: "]", does: "next session", run: () => step(1, isHead) },
    { key: "[", does: "previous session", run: () => step(-1, isHead) },
  ]);
  const { onEdges, unseen } = useUnseen(countOf(sections));

  const drawRow = (index: number) => {
    const row = rows[index];
    if (!row) return null;
    if ("session" in row) {
      const { session, cards, key } = row;
      const toggle = () => setFolds(new Map(folds).set(session.id, !row.isOpen));
      return (
        <SessionHead
          session={session}
          cards={cards}
          isOpen={row.isOpen}
          onToggle={toggle}
          takesFocus={() => takesFocus(key)}
        />
      );
    }
    const card = cardAt(row.card);
    if (!card) return <div class="timeline-card is-awaited" />;
    return (
      <TimelineCard
        card={card}
        items={items}
        isInside={row.isInside}
        isPointed={card.position === pointed.position}
        takesFocus={() => takesFocus(row.key)}
      />
    );
  };
  return (
    <>
      <PointedElsewhere pointed={pointed} task={id} />
      <div class={isOld ? "timeline-list is-old" : "timeline-list"}>
        {rows.length === 0 && <NoMatches clear={cardFilter.none}>No cards match these filters.</NoMatches>}
        {begun.current && (
          <Windowed
            label="Timeline, newest at the bottom"
            count={rows.length}
            rowHeight={CARD_PX}
            show={currentRow < 0 ? undefined : currentRow}
            align={target === undefined ? "end" : "center"}
            keyOf={(index) => rows[index]?.key ?? index}
            onWindow={(firstShown, lastShown) => setShown([firstShown, lastShown])}
            onEdges={onEdges}
            row={drawRow}
          />
        )}
        <Unseen count={unseen} where="↓" onGo={() => goTo(rows.at(-1)?.key ?? "")} />
      </div>
    </>
  );
}

/** In pixels; cards are measured when they are drawn. */
const CARD_PX = 120;
const FIRST_ROWS = 15;

/** Sessions are folded, except running ones, the last one, opened ones, and under a filter. */
function isOpen(
  { session }: Section,
  sections: readonly Section[],
  now: {
    readonly folds: ReadonlyMap<string, boolean>;
    readonly opened: string | undefined;
    readonly filter: CardFilter;
  },
): boolean {
  if (session === null) return true;
  const last = sections.findLast((section) => section.session !== null)?.session;
  const isByItself = session.id === last?.id || session.outcome === null || isFiltered(now.filter);
  return now.folds.get(session.id) ?? (isByItself || session.id === now.opened);
}

function cardsIn(rows: readonly Row[], from: number, to: number): number[] {
  const shown = rows.slice(Math.max(from, 0), Math.max(to, 0) + 1);
  return shown.flatMap((row) => ("card" in row ? [row.card] : []));
}

function isCard(row: Row): boolean {
  return "card" in row;
}

function isHead(row: Row): boolean {
  return "session" in row;
}

/** Counts new cards below the visible ones: the list never scrolls by itself. */
function useUnseen(total: number) {
  const [isAtEnd, setAtEnd] = useState(true);
  const seen = useRef(total);
  if (isAtEnd) seen.current = total;
  return {
    onEdges: (_isAtStart: boolean, isAtEndNow: boolean) => setAtEnd(isAtEndNow),
    unseen: isAtEnd ? 0 : total - seen.current,
  };
}

/** The row to scroll to and focus, chosen by a key or by a card in the address. */
function useTarget({ index, position }: Pointed) {
  const [chosen, setChosen] = useState<{ readonly key: string; readonly card: number | undefined }>();
  const awaitsFocus = useRef<string | undefined>(undefined);
  // A key selects its row at once and updates the address. The card's index arrives later, when the
  // reader may already be on another row.
  const goneTo = useRef<number | undefined>(undefined);
  // In a layout effect, before the next key.
  useLayoutEffect(() => {
    if (index === undefined) return;
    const isNew = goneTo.current !== position;
    goneTo.current = position;
    // At another position the card may have another index; it must not take the focus again.
    if (isNew || chosen?.card === position) setChosen({ key: cardKey(index), card: position });
    // Never take the focus from a text field.
    if (isNew && !isWriting(document.activeElement)) awaitsFocus.current = cardKey(index);
  }, [index, position]);
  return {
    target: chosen?.key ?? (index === undefined ? undefined : cardKey(index)),
    goTo(key: string, card?: number) {
      goneTo.current = card ?? goneTo.current;
      awaitsFocus.current = key;
      setChosen({ key, card });
    },
    /** @returns true, once, for the row that takes the focus */
    takesFocus(key: string): boolean {
      const takes = awaitsFocus.current === key;
      if (takes) awaitsFocus.current = undefined;
      return takes;
    },
  };
}
