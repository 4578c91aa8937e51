import { useEffect, useRef } from "preact/hooks";
import type { BoardColumn } from "../../../server/answers/board.ts";
import { useAddress } from "../../address.ts";
import type { CardFilter } from "../../core.ts";
import { Windowed } from "../../parts/windowed.tsx";
import { useAnswers } from "../../several.ts";
import { type BoardOf, Card } from "./card.tsx";
import { headingOf } from "./columns.ts";
import { filterWords } from "./filter.ts";
import { useCards } from "./use-cards.ts";
import { useHeld } from "./use-held.ts";

interface ColumnProps {
  readonly column: BoardColumn;
  readonly filter: CardFilter;
  readonly board: BoardOf;
  /** Folds the column; absent if it is always open. */
  readonly onFold?: () => void;
}

/** The estimated height of a card with its gap, in pixels. */
const CARD_HEIGHT = 100;

/** The tasks of one status. */
export function Column({ column, filter, board, onFold }: ColumnProps) {
  const { at } = useAddress();
  const box = useRef<HTMLElement>(null);
  const words = filterWords(filter);
  const question = JSON.stringify([filter, at]);
  const { picture, onWindow } = useCards(column, filter);
  const { shown, gone, still } = useHeld(box, picture, question);
  const moved = useAnswers(
    "card",
    [...gone].map((task) => ({ task })),
    at,
  ).map(({ data }) => data?.answer);
  useEffect(() => box.current?.querySelector(".windowed")?.scrollTo(0, 0), [words]);
  const { name, count, more } = headingOf(column, words !== "");
  return (
    <section ref={box} class="board-column" data-status={column.status} aria-label={name}>
      <h2>
        {onFold ? (
          <button type="button" aria-expanded="true" onClick={onFold}>
            {name} <span class="count">{count}</span> <span aria-hidden="true">▾</span>
          </button>
        ) : (
          <>
            {name} <span class="count">{count}</span>
          </>
        )}
        {more && <span class="more"> · {more}</span>}
      </h2>
      {shown.count === 0 ? (
        <p class="muted none">No tasks</p>
      ) : (
        <Windowed
          label={`${name}: tasks`}
          count={shown.count}
          rowHeight={CARD_HEIGHT}
          keyOf={(index) => shown.cards[index]?.id ?? `place ${index}`}
          still={still}
          onWindow={onWindow}
          row={(index) => {
            const card = shown.cards[index];
            if (!card) return <div class="card is-coming" />;
            const isGone = gone.has(card.id);
            const now = isGone ? moved.find((one) => one?.id === card.id) : undefined;
            return <Card card={now ?? card} board={board} isGone={isGone} />;
          }}
        />
      )}
    </section>
  );
}
