import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAct, useDisabledReason } from "../../acts.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { counted, visible } from "../../core.ts";
import { useDraft } from "../../drafts.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { InvalidAddress, notNumberError } from "../../parts/invalid-address.tsx";
import { LazyMarkdown } from "../../parts/lazy-markdown.tsx";
import { EventLink, numbered, SessionLink, TaskLink } from "../../parts/links.tsx";
import { Pane } from "../../parts/pane.tsx";
import { Fault, Loading } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";
import { reasonFor, setMark } from "./marking.ts";

const CLOSE = { learning: undefined };

interface LearningPaneProps {
  /** The number in the address, unchecked. */
  readonly learning: string;
}

/** A learning with its sources, its uses and its actions. */
export function LearningPane({ learning }: LearningPaneProps) {
  const wrong = notNumberError("a learning number", learning);
  return (
    <Pane class="learning-pane" label="Learning" view="Learnings" close={CLOSE}>
      {wrong ? <InvalidAddress clear={CLOSE}>{wrong}</InvalidAddress> : <Learning id={Number(learning)} />}
    </Pane>
  );
}

function Learning({ id }: { readonly id: number }) {
  const { at } = useAddress();
  const { answer, error, isLoading } = useAnswer("learning", { id });
  if (error) return <Fault error={error} />;
  if (isLoading) return <Loading what="the learning" />;
  if (!answer) {
    const where = at === undefined ? "" : ` at ${numbered(at)}`;
    return (
      <InvalidAddress clear={CLOSE}>
        There is no learning {numbered(id)}
        {where}. A learning has the number of the event that first recorded it.
      </InvalidAddress>
    );
  }
  const { text, kind, scope, feature, agent_words, rationale, sources } = answer;
  return (
    <>
      <h2 class="muted">Learning {numbered(id)}</h2>
      <div class="learning-said">
        <LazyMarkdown text={text} />
      </div>
      <p class="muted">
        {kind} · {scope}
        {feature !== null && ` · ${visible(feature)}`} · {agent_words ? "from an agent" : "from a human"}
      </p>
      {rationale !== null && <LazyMarkdown text={rationale} />}
      <Acts learning={answer} />
      <h3>{counted(sources.length, "source")}</h3>
      <ul class="sources">
        {sources.map((source) => (
          <li key={source.position}>
            <LazyMarkdown text={source.text} />
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
      <Uses prompts={answer.prompts} />
    </>
  );
}

type Entry = NonNullable<AnswerOf<"learning">>;

function Uses({ prompts }: Pick<Entry, "prompts">) {
  return (
    <>
      <h3>Used in {counted(prompts.length, "prompt")}</h3>
      {prompts.length > SHOWN && <p class="muted">The last {SHOWN}:</p>}
      <ul class="sources">
        {prompts.slice(-SHOWN).map(({ session, position }) => (
          <li key={position}>
            <SessionLink id={session} /> <EventLink position={position} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The number of prompts that are listed. */
const SHOWN = 20;

function Acts({ learning: { id, mark, mark_reason } }: { readonly learning: Entry }) {
  const noActs = useDisabledReason();
  const disabledReason = (to: Entry["mark"]) =>
    noActs ?? (mark === to ? (to === "none" ? "It is not marked." : `It is already ${to}.`) : undefined);
  return (
    <fieldset class="learning-acts" aria-label="Mark this learning">
      {mark !== "none" && (
        <p>
          <span class="badge">{mark}</span> {mark_reason !== null && visible(mark_reason)}
        </p>
      )}
      <Reason key={mark} id={id} />
      <ActButton disabledReason={disabledReason("pinned")} onAct={() => setMark(id, "pinned")}>
        Pin (p)
      </ActButton>
      <ActButton disabledReason={disabledReason("retired")} onAct={() => setMark(id, "retired")}>
        Retire (x)
      </ActButton>
      {mark !== "none" && (
        <ActButton disabledReason={noActs} onAct={() => setMark(id, "none")}>
          {mark === "pinned" ? "Unpin (u)" : "Restore (u)"}
        </ActButton>
      )}
      <p class="muted">pinned: first in prompts · retired: left out of prompts</p>
    </fieldset>
  );
}

/** The reason for the next mark. */
function Reason({ id }: { readonly id: number }) {
  const [reason, write] = useDraft(reasonFor(id));
  return (
    <input
      aria-label="Reason for the mark"
      placeholder="reason (optional)"
      maxLength={1_000}
      value={reason}
      onInput={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}

function Split({ source }: { readonly source: number }) {
  const { run, isBusy, problem } = useAct("split_learning");
  const disabledReason = useDisabledReason();
  return (
    <p>
      <ActButton disabledReason={disabledReason} isBusy={isBusy} onAct={() => void run({ source })}>
        Split off as another learning
      </ActButton>
      {problem !== undefined && <span role="alert"> {problem}</span>}
    </p>
  );
}
