import { Link } from "wouter-preact";
import { useAct, useWhyNoActs } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { Marked } from "../../parts/marked.tsx";
import { Fault, Loading } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";

interface DetailsProps {
  readonly id: number;
  readonly words: string;
  onClose(): void;
}

/** A learning with its sources, where it was used, and what can be done with it. */
export function LearningDetails({ id, words, onClose }: DetailsProps) {
  const { with: to } = useAddress();
  const { answer, error, isLoading } = useAnswer("learning", { id });
  if (error) return <Fault error={error} />;
  if (isLoading) return <Loading what="the learning" />;
  return (
    <aside class="learning-details" aria-label="Learning">
      <button type="button" class="close" onClick={onClose}>
        Close
      </button>
      {!answer ? (
        <p class="muted">There was no learning {id} then.</p>
      ) : (
        <>
          <h2>
            <Marked text={answer.text} words={words} />
          </h2>
          <p class="muted">
            {answer.kind} · {answer.scope}
            {answer.feature !== null && ` · ${answer.feature}`} ·{" "}
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
                    <Link href={to({ event: source.position }, "/log")}>#{source.position}</Link>
                  ) : (
                    <Link href={`${to({}, `/tasks/${source.task}`)}#e${source.position}`}>
                      task #{source.task}, #{source.position}
                    </Link>
                  )}{" "}
                  · {source.source} · <Ago time={source.created} />
                </p>
                {source.position !== id && <Split source={source.position} />}
              </li>
            ))}
          </ul>
          <h3>Used in {answer.prompts.length === 1 ? "1 prompt" : `${answer.prompts.length} prompts`}</h3>
          <ul class="sources">
            {answer.prompts.slice(-20).map(({ session, position }) => (
              <li key={position}>
                <Link href={to({ session }, "/sessions")}>{session}</Link>{" "}
                <Link href={to({ event: position }, "/log")}>#{position}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
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
          {reason !== null && <span>{reason}</span>}
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
