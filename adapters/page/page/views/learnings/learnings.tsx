import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useDisabledReason } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useChanged } from "../../changed.ts";
import { counted, type LearningMark, visible } from "../../core.ts";
import { useKeys } from "../../keys.ts";
import { GettingStarted } from "../../parts/getting-started.tsx";
import { InvalidAddress } from "../../parts/invalid-address.tsx";
import { Marked, Searched } from "../../parts/marked.tsx";
import { NoMatches } from "../../parts/no-matches.tsx";
import { Notice } from "../../parts/notice.tsx";
import { oneLine } from "../../parts/readable.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { useStore } from "../../store.ts";
import { Filters } from "./filters.tsx";
import { type Filter, filterIn, filterInWords, NO_FILTER } from "./learning-filter.ts";
import { LearningPane } from "./learning-pane.tsx";
import { marking, say, setMark, undoLastMark } from "./marking.ts";
import { usePlace } from "./use-place.ts";
import "./learnings.css";

/** The learnings, deduplicated: search, pin and retire them. */
export function LearningsView() {
  const address = useAddress();
  const filter = filterIn(address);
  const selected = address.get("learning");
  useMarkKeys(Number(selected) || undefined);
  const { done, said } = useStore(marking);
  return (
    <Searched.Provider value={address.get("text") ?? ""}>
      <h1 class="hidden-but-read">Learnings</h1>
      <div class="panes">
        <div class="learnings-list">
          {"wrong" in filter ? (
            <InvalidAddress clear={NO_FILTER}>{filter.wrong}</InvalidAddress>
          ) : (
            <Learnings filter={filter} chosen={Number(selected) || undefined} />
          )}
        </div>
        {selected !== undefined && <LearningPane key={selected} learning={selected} />}
      </div>
      <Notice onUndo={done.length > 0 ? undoLastMark : undefined}>{said}</Notice>
    </Searched.Provider>
  );
}

interface LearningsProps {
  readonly filter: Filter;
  readonly chosen: number | undefined;
}

function Learnings({ filter, chosen }: LearningsProps) {
  const [row, setRow] = useState(0);
  const { answer, error, isOld } = useAnswer("learnings", { ...filter, row: row || undefined });
  if (error) return <Fault error={error} />;
  if (!answer) return <Loading what="the learnings" />;
  if (answer.total === 0) return <GettingStarted what="No learnings yet" />;
  return (
    <>
      <Filters filter={filter} answer={answer} />
      {answer.found === 0 ? (
        <NoMatches clear={NO_FILTER}>No learnings match {filterInWords(filter)}.</NoMatches>
      ) : (
        <List
          key={JSON.stringify(filter)}
          answer={answer}
          isOld={isOld}
          chosen={chosen}
          onWindow={(first, last) => setRow(pageWith(first, last))}
        />
      )}
    </>
  );
}

interface ListProps {
  readonly answer: AnswerOf<"learnings">;
  readonly isOld: boolean;
  readonly chosen: number | undefined;
  onWindow(first: number, last: number): void;
}

function List({ answer, isOld, chosen, onWindow }: ListProps) {
  const { go } = useAddress();
  // A row reached by a key takes the focus; a clicked one has it already.
  const wantsFocus = useRef<number>();
  const { show, step } = usePlace(answer, chosen, (id) => {
    wantsFocus.current = id;
    go({ learning: id }, { replace: true });
  });
  useKeys("Learnings", [
    { key: "j", does: "next learning", run: () => step(1) },
    { key: "k", does: "previous learning", run: () => step(-1) },
  ]);
  return (
    <div class={isOld ? "learnings-rows is-old" : "learnings-rows"}>
      <Windowed
        label="Learnings"
        count={answer.found}
        rowHeight={64}
        align="auto"
        show={show}
        keyOf={(index) => answer.rows[index - answer.row]?.id ?? `row ${index}`}
        onWindow={onWindow}
        row={(index) => {
          const line = answer.rows[index - answer.row];
          if (!line) return <div class="learning-row" />;
          return (
            <Row
              line={line}
              isChosen={line.id === chosen}
              wantsFocus={wantsFocus}
              onChoose={() => go({ learning: line.id }, { replace: true })}
            />
          );
        }}
      />
    </div>
  );
}

type Line = AnswerOf<"learnings">["rows"][number];

interface RowProps {
  readonly line: Line;
  readonly isChosen: boolean;
  /** The learning whose row takes the focus when it is rendered. */
  readonly wantsFocus: { current: number | undefined };
  onChoose(): void;
}

function Row({ line, isChosen, wantsFocus, onChoose }: RowProps) {
  const changed = useChanged();
  const button = useRef<HTMLButtonElement>(null);
  const { id, text, kind, mark, confirmations, prompts, last_confirmed } = line;
  useEffect(() => {
    if (!isChosen || wantsFocus.current !== id) return;
    wantsFocus.current = undefined;
    button.current?.focus({ preventScroll: true });
  });
  return (
    <button
      ref={button}
      type="button"
      class={`learning-row mark-${mark}`}
      data-changed={changed.learning(id)}
      aria-current={isChosen ? "true" : undefined}
      onClick={onChoose}
    >
      <span class="learning-text">
        <Marked text={oneLine(text)} />
      </span>
      <span class="learning-about muted">
        {mark !== "none" && <span class="badge">{mark}</span>}
        <span>{kind}</span>
        <span>{concernOf(line)}</span>
        {confirmations > 1 && <span>{counted(confirmations, "source")}</span>}
        {prompts > 0 && <span>used in {counted(prompts, "prompt")}</span>}
        <span>
          <Ago time={last_confirmed} />
        </span>
      </span>
    </button>
  );
}

/** The shortcuts of the selected learning. */
function useMarkKeys(chosen: number | undefined): void {
  const disabledReason = useDisabledReason();
  const unless = (run: () => void) => () => (disabledReason === undefined ? run() : say(disabledReason));
  const mark = (to: LearningMark) =>
    unless(() => (chosen === undefined ? say("Select a learning first.") : setMark(chosen, to)));
  useKeys("Learnings", [
    { key: "p", does: "pin", run: mark("pinned") },
    { key: "x", does: "retire", run: mark("retired") },
    { key: "u", does: "remove the mark", run: mark("none") },
    { key: "z", does: "undo the last mark", run: unless(undoLastMark) },
  ]);
}

function concernOf({ scope, task_id, feature }: Line): string {
  if (scope === "project") return "the project";
  return scope === "task" ? `task #${task_id}` : `feature ${visible(feature ?? "")}`;
}

/** The first row to load. Pages of 200 rows overlap by half, so that one has the visible rows. */
function pageWith(first: number, last: number): number {
  const middle = (first + last) / 2;
  return Math.max(0, Math.floor((middle - 50) / 100) * 100);
}
