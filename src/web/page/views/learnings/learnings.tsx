import { useState } from "preact/hooks";
import { visible } from "../../../../events/visible.ts";
import { act, useWhyNoActs } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useChanged } from "../../changed.ts";
import { useKeys } from "../../keys.ts";
import { Begin } from "../../parts/begin.tsx";
import { Marked } from "../../parts/marked.tsx";
import { NoHits } from "../../parts/no-hits.tsx";
import { Fault, Loading } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { Filters, filterInWords, NO_FILTER } from "./filters.tsx";
import { LearningPane } from "./learning-pane.tsx";
import "./learnings.css";

/** What was learned, each thing once: to search, to pin and to retire. */
export function LearningsView() {
  const address = useAddress();
  const text = address.get("text") ?? "";
  const changed = useChanged();
  const [page, setPage] = useState(0);
  const { answer, error, isOld } = useAnswer("learnings", {
    text: text || undefined,
    scope: address.get("scope") as never,
    kind: address.get("kind") as never,
    mark: address.get("mark") as never,
    offset: page === 0 ? undefined : page,
  });
  const chosen = Number(address.get("learning")) || undefined;
  const choose = (id: number | undefined) => address.go({ learning: id }, { replace: true });
  useLearningKeys(answer?.rows ?? [], chosen, choose);
  if (error) return <Fault error={error} />;
  if (!answer) return <Loading what="what was learned" />;
  if (answer.total === 0) return <Begin what="Nothing was learned yet" />;
  return (
    <>
      <h1 class="hidden-but-read">Learnings</h1>
      <div class="panes">
        <div class={isOld ? "learnings-list is-old" : "learnings-list"}>
          <Filters answer={answer} />
          {answer.found === 0 ? (
            <NoHits clear={NO_FILTER}>Nothing was learned {filterInWords(address)}.</NoHits>
          ) : (
            <Windowed
              label="Learnings"
              count={answer.found}
              rowHeight={64}
              keyOf={(index) => answer.rows[index - answer.offset]?.id ?? `row ${index}`}
              onWindow={(first, last) => setPage(pageWith(first, last))}
              row={(index) => {
                const line = answer.rows[index - answer.offset];
                if (!line) return <div class="learning-row" />;
                return (
                  <button
                    type="button"
                    class={`learning-row mark-${line.mark}`}
                    data-changed={changed.learning(line.id)}
                    aria-current={line.id === chosen ? "true" : undefined}
                    onClick={() => choose(line.id)}
                  >
                    <span class="learning-text">
                      <Marked text={line.text} words={text} />
                    </span>
                    <span class="learning-about muted">
                      {line.mark !== "none" && <span class="badge">{line.mark}</span>}
                      <span>{line.kind}</span>
                      <span>{concernOf(line)}</span>
                      {line.confirmations > 1 && <span>{line.confirmations} sources</span>}
                      <span>
                        <Ago time={line.last_confirmed} />
                      </span>
                    </span>
                  </button>
                );
              }}
            />
          )}
        </div>
        {chosen !== undefined && <LearningPane key={chosen} id={chosen} words={text} />}
      </div>
    </>
  );
}

type Line = NonNullable<ReturnType<typeof useAnswer<"learnings">>["answer"]>["rows"][number];

/** `j` and `k` go through the list, `p` pins, `x` retires, `z` takes either back. */
function useLearningKeys(
  rows: readonly Line[],
  chosen: number | undefined,
  choose: (id: number | undefined) => void,
): void {
  const whyNot = useWhyNoActs();
  const place = rows.findIndex(({ id }) => id === chosen);
  const step = (by: number) => choose(rows[Math.max(0, Math.min(rows.length - 1, place + by))]?.id);
  const mark = (to: "pinned" | "retired" | "none") => {
    // What is refused (it is so already) changes nothing, and the details say how it is.
    if (chosen !== undefined && whyNot === undefined) {
      void act("mark_learning", { learning: chosen, mark: to }).catch(() => {});
    }
  };
  useKeys("Learnings", [
    { key: "j", does: "next", run: () => step(1) },
    { key: "k", does: "previous", run: () => step(-1) },
    { key: "p", does: "pin", run: () => mark("pinned") },
    { key: "x", does: "retire", run: () => mark("retired") },
    { key: "z", does: "take either back", run: () => mark("none") },
  ]);
}

function concernOf({ scope, task_id, feature }: Line): string {
  if (scope === "project") return "the project";
  return scope === "task" ? `task #${task_id}` : `feature ${visible(feature ?? "")}`;
}

/** The page of which the rows in sight stand in the middle. */
function pageWith(first: number, last: number): number {
  const HALF = 100;
  const middle = Math.floor((first + last) / 2);
  return Math.max(0, Math.floor((middle - HALF) / HALF) * HALF);
}
