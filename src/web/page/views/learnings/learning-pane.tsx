import { visible } from "../../../../events/visible.ts";
import { useAct, useWhyNoActs } from "../../acts.ts";
import { useAnswer } from "../../answers.ts";
import { EventLink, numbered, SessionLink, TaskLink } from "../../parts/links.tsx";
import { Marked } from "../../parts/marked.tsx";
import { Pane } from "../../parts/pane.tsx";
import { Fault, Loading } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";

interface LearningPaneProps {
  readonly id: number;
  /** Those that are searched. */
  readonly words: string;
}

/** A learning with its sources, where it was used, and what can be done with it. */
export function LearningPane({ id, words }: LearningPaneProps) {
  const { answer, error, isLoading } = useAnswer("learning", { id });
  return (
    <Pane class="learning-pane" label="Learning" view="Learnings" close={{ learning: undefined }}>
      {error ? (
        <Fault error={error} />
      ) : isLoading ? (
        <Loading what="the learning" />
      ) : !answer ? (
        <p class="muted">There was no learning {id} then.</p>
      ) : (
        <>
          <h2>
            <Marked text={answer.text} words={words} />
          </h2>
          <p class="muted">
            {answer.kind} · {answer.scope}
            {answer.feature !== null && ` · ${visible(answer.feature)}`} ·{" "}
            {answer.agent_words ? "an agent's words" : "a human's words"}
          </p>
          {answer.rationale !== null && (
            <p>
              <Marked text={answer.rationale} words={words} />
            </p>
          )}
          <Acts key={answer.mark} id={id} mark={answer.mark} reason={answer.mark_reason} />
          <h3>{answer.sources.length === 1 ? "Source" : `${answer.sources.length} sources`}</h3>
          <ul class="sources">
            {answer.sources.map((source) => (
              <li key={source.position}>
                <p>
                  <Marked text={source.text} words={words} />
                </p>
                <p class="muted">
                  {source.task === null ? (
                    <EventLink position={source.position} />
                  ) : (
                    <TaskLink id={source.task} card={source.position}>
                      task #{source.task}, {numbered(source.position)}
                    </TaskLink>
                  )}{" "}
                  · {visible(source.source)} · <Ago time={source.created} />
                </p>
                {source.position !== id && <Split source={source.position} />}
              </li>
            ))}
          </ul>
          <h3>Used in {answer.prompts.length === 1 ? "1 prompt" : `${answer.prompts.length} prompts`}</h3>
          <ul class="sources">
            {answer.prompts.slice(-20).map(({ session, position }) => (
              <li key={position}>
                <SessionLink id={session} /> <EventLink position={position} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Pane>
  );
}

type Mark = "none" | "pinned" | "retired";

function Acts({
  id,
  mark,
  reason,
}: {
  readonly id: number;
  readonly mark: Mark;
  readonly reason: string | null;
}) {
  const { run, isBusy, problem } = useAct("mark_learning");
  const whyNot = useWhyNoActs();
  const disabled = isBusy || whyNot !== undefined;
  const set = (next: Mark) => run({ learning: id, mark: next });
  return (
    <fieldset class="learning-acts" aria-label="What you think of it">
      {mark === "none" ? (
        <>
          <button type="button" disabled={disabled} title={whyNot} onClick={() => set("pinned")}>
            Pin (p)
          </button>
          <button type="button" disabled={disabled} title={whyNot} onClick={() => set("retired")}>
            Retire (x)
          </button>
          <span class="muted">pinned: first in prompts · retired: in none</span>
        </>
      ) : (
        <>
          <span class="badge">{mark}</span>
          {reason !== null && <span>{visible(reason)}</span>}
          <button type="button" disabled={disabled} title={whyNot} onClick={() => set("none")}>
            Undo (z)
          </button>
        </>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </fieldset>
  );
}

function Split({ source }: { readonly source: number }) {
  const { run, isBusy, problem } = useAct("split_learning");
  const whyNot = useWhyNoActs();
  return (
    <p>
      <button
        type="button"
        disabled={isBusy || whyNot !== undefined}
        title={whyNot}
        onClick={() => run({ source })}
      >
        Says something else: split it off
      </button>
      {problem !== undefined && <span role="alert"> {problem}</span>}
    </p>
  );
}
