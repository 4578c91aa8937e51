import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import type { CardFilter, TaskStatus } from "../../core.ts";
import { GettingStarted } from "../../parts/getting-started.tsx";
import { InvalidAddress, notNumberError } from "../../parts/invalid-address.tsx";
import { lazily } from "../../parts/lazily.tsx";
import { useHasOneColumn, useIsNarrow } from "../../parts/narrow.ts";
import { NoMatches } from "../../parts/no-matches.tsx";
import { Pane } from "../../parts/pane.tsx";
import { Loading, Unanswered } from "../../parts/states.tsx";
import { useBoardKeys } from "./board-keys.ts";
import type { BoardOf } from "./card.tsx";
import { Column } from "./column.tsx";
import { boardStatuses, foldedStatuses, headingOf, openStatuses, unfolded } from "./columns.ts";
import { addressError, filterWords, NO_FILTER, useFilter } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { Graph } from "./graph.tsx";
import { BoardNotice } from "./notice.tsx";
import "./board.css";

type Board = AnswerOf<"board">;

const TaskPane = lazily(
  async () => (await import("../acting.ts")).TaskPane,
  ({ task }) => (
    <Pane class="task-pane" label={`Task ${task}`} view="Board" close={{ task: undefined }} data-task={task}>
      <Loading what={`task ${task}`} />
    </Pane>
  ),
);

/** Tasks by status: running, waiting for a human, next in line. */
export function BoardView() {
  const address = useAddress();
  const { get } = address;
  const isNarrow = useIsNarrow();
  const hasOneColumn = useHasOneColumn();
  const filter = useFilter();
  const column = boardStatuses.find((status) => status === get("column")) ?? "pending";
  const open = isNarrow ? [column] : [...openStatuses, ...unfolded(get("open"))];
  const { answer, error, isOld } = useAnswer("board", { ...filter, open: open.join(",") });
  useBoardKeys();
  if (!answer) return <Unanswered view="Board" what="the board" error={error} />;
  const { columns, features, disciplines } = answer;
  if (columns.every(({ all }) => all.tasks === 0)) return <GettingStarted what="No tasks yet" />;
  const isGraph = get("show") === "graph";
  const named = get("task");
  const task =
    notNumberError("a task number", named) === undefined && named !== undefined ? Number(named) : undefined;
  const isPaneShown = task !== undefined && !(isGraph && hasOneColumn);
  const wrong = addressError(address);
  return (
    <div class="board">
      <h1 class="hidden-but-read">Board</h1>
      <Filters features={features} disciplines={disciplines} />
      <div class="panes">
        <div class={isOld ? "board-main is-old" : "board-main"}>
          {wrong ? (
            <InvalidAddress clear={wrong.clear}>{wrong.what}</InvalidAddress>
          ) : isGraph ? (
            <Graph task={task} />
          ) : (
            <Cards board={answer} filter={filter} open={open} narrow={isNarrow ? column : undefined} />
          )}
        </div>
        {isPaneShown && <TaskPane key={task} task={task} board={answer} />}
      </div>
      <BoardNotice />
    </div>
  );
}

interface CardsProps {
  readonly board: Board;
  readonly filter: CardFilter;
  readonly open: readonly TaskStatus[];
  /** The one column that a phone shows. */
  readonly narrow: TaskStatus | undefined;
}

function Cards({ board, filter, open, narrow }: CardsProps) {
  const address = useAddress();
  const words = filterWords(filter);
  if (words !== "" && board.columns.every(({ matching }) => matching.tasks === 0))
    return <NoMatches clear={NO_FILTER}>No tasks match {words}.</NoMatches>;
  const shared: BoardOf = { ...board, until: address.at === undefined ? undefined : board.now };
  const columnOf = (status: TaskStatus) => board.columns.find((column) => column.status === status);
  const unfoldedOnes = unfolded(address.get("open"));
  const fold = (status: TaskStatus, isOpen: boolean) =>
    address.go({
      open: [...unfoldedOnes.filter((one) => one !== status), ...(isOpen ? [status] : [])].join(","),
    });
  return (
    <>
      {narrow !== undefined && <ColumnChoice board={board} chosen={narrow} isFiltered={words !== ""} />}
      <div class="board-columns">
        {open.map((status) => {
          const column = columnOf(status);
          const isFoldable = narrow === undefined && foldedStatuses.some((one) => one === status);
          return (
            column && (
              <Column
                key={status}
                column={column}
                filter={filter}
                board={shared}
                {...(isFoldable && { onFold: () => fold(status, false) })}
              />
            )
          );
        })}
        {narrow === undefined && (
          <ul class="board-folded" aria-label="Folded columns">
            {foldedStatuses
              .filter((status) => !open.includes(status))
              .map((status) => {
                const column = columnOf(status);
                if (!column) return null;
                const { name, count } = headingOf(column, words !== "");
                return (
                  <li key={status}>
                    <button type="button" aria-expanded="false" onClick={() => fold(status, true)}>
                      {name} <span class="count">{count}</span> <span aria-hidden="true">▸</span>
                    </button>
                  </li>
                );
              })}
          </ul>
        )}
      </div>
    </>
  );
}

interface ColumnChoiceProps {
  readonly board: Board;
  readonly chosen: TaskStatus;
  readonly isFiltered: boolean;
}

function ColumnChoice({ board, chosen, isFiltered }: ColumnChoiceProps) {
  const address = useAddress();
  return (
    <select
      class="column-choice"
      aria-label="Column"
      value={chosen}
      onChange={({ currentTarget }) => address.go({ column: currentTarget.value })}
    >
      {boardStatuses.map((status) => {
        const column = board.columns.find((one) => one.status === status);
        if (!column) return null;
        const { name, count, more } = headingOf(column, isFiltered);
        return (
          <option key={status} value={status}>
            {name} {count}
            {more === undefined ? "" : `, ${more}`}
          </option>
        );
      })}
    </select>
  );
}
