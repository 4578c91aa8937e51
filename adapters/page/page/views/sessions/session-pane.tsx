import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { clockLength, counted, visible } from "../../core.ts";
import { Copy } from "../../parts/copy.tsx";
import { GateRunLine, GateRunOutput } from "../../parts/gate-run.tsx";
import { irregularSentence } from "../../parts/irregular.ts";
import { lazily } from "../../parts/lazily.tsx";
import { LazyMarkdown } from "../../parts/lazy-markdown.tsx";
import { AsOfLink, EventLink, TaskLink } from "../../parts/links.tsx";
import { SessionSign } from "../../parts/outcome.tsx";
import { Pane } from "../../parts/pane.tsx";
import { PlainText } from "../../parts/plain-text.tsx";
import { selectSession } from "../../parts/select-session.ts";
import { sessionName } from "../../parts/session-name.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { Moment, useNow } from "../../parts/time.tsx";
import { VerbLabel } from "../../parts/verb.tsx";
import { millisecondsOf } from "../../parts/zone.ts";
import { AgentFacts, PromptFacts, ProofFacts, WorkspaceFacts } from "./facts.tsx";
import { failureInWords } from "./failure.ts";

/** The details of a session. Key it by the session's id, so that no data of another one shows. */
export function SessionPane({ session }: { readonly session: string }) {
  const { get } = useAddress();
  const part = PARTS.find(({ name }) => name === get("part")) ?? PARTS[0];
  const { answer, error, isOld } = useAnswer("session", { session });
  // The answer may still be of the previously selected session.
  const found = answer?.id === session ? answer : undefined;
  return (
    <Pane
      class={`session-pane${isOld ? " is-old" : ""}${part.name === "signals" ? "" : " is-wide"}`}
      label={`Session ${sessionName(session)}`}
      view="Sessions"
      close={{ ...selectSession(undefined), part: undefined }}
      head={<h2>{found ? titleOf(found) : "Session"}</h2>}
    >
      {error ? (
        <Fault error={error} />
      ) : found ? (
        <>
          <Parts shown={part.name} />
          <part.View key={session} found={found} />
        </>
      ) : (
        <Loading what="the session" />
      )}
    </Pane>
  );
}

type View = AnswerOf<"session">;

function titleOf({ ordinal, task_id }: View): string {
  return task_id === null ? "Session without a task" : `Session ${ordinal} of #${task_id}`;
}

const Output = lazily(
  async () => (await import("./output/output.tsx")).Output,
  () => <Loading what="the output" />,
);

const Files = lazily(
  async () => (await import("./files/files.tsx")).Files,
  () => <Loading what="the changes" />,
);

/** The parts of the details, the first of them by default. */
const PARTS = [
  { name: "signals", title: "Signals", View: Found },
  {
    name: "output",
    title: "Output",
    View: OutputOf,
  },
  {
    name: "files",
    title: "Files",
    View: ({ found }: { readonly found: View }) => <Files view={found} />,
  },
] as const;

/** In the past, too, its output is that of the present: a session that ran then may have ended. */
function OutputOf({ found }: { readonly found: View }) {
  const { at } = useAddress();
  return <Output session={found.id} isRunning={at === undefined && found.completed_at === null} />;
}

function Parts({ shown }: { readonly shown: string }) {
  const { with: to } = useAddress();
  return (
    <nav class="session-parts" aria-label="Parts of the session">
      {PARTS.map(({ name, title }) => (
        <Link
          key={name}
          href={to({ part: name === "signals" ? undefined : name, find: undefined, byte: undefined })}
          aria-current={name === shown ? "page" : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

function Found({ found }: { readonly found: View }) {
  const { task_id, task_title, outcome, closing, inferred, unverified, started_at, completed_at } = found;
  const closed =
    closing && `closed with ${unverified ? "an unverified " : ""}${closing}${inferred ? ", inferred" : ""}`;
  return (
    <>
      <p>
        <SessionSign state={found.current_state} outcome={outcome} />
        {closed && ` · ${closed}`}
      </p>
      <p>
        <TaskLink id={task_id}>
          {task_id === null ? "no task" : `#${task_id} ${visible(task_title)}`}
        </TaskLink>
      </p>
      <Trouble found={found} />
      {found.end_reason !== null && <PlainText text={found.end_reason} />}
      <dl class="facts">
        <dt>started</dt>
        <dd>
          <Moment time={started_at} /> <Position at={found.started_position} />
          {found.implicit === 1 && " by its first signal"}
          {found.forced === 1 && found.implicit === 0 && " by force"}
        </dd>
        {completed_at !== null && (
          <>
            <dt>ended</dt>
            <dd>
              <Moment time={completed_at} /> {found.exit}{" "}
              {found.ended_position !== null && <Position at={found.ended_position} />}
            </dd>
          </>
        )}
        <dt>driver</dt>
        <dd>{found.driver === null ? "none" : visible(found.driver)}</dd>
        <dt>id</dt>
        <dd>
          <code>{visible(found.id)}</code> <Copy what="id" text={() => found.id} />
        </dd>
      </dl>
      <Part title="Phases" count={found.states.length + found.states_before}>
        <States found={found} />
      </Part>
      <Part title="Signals" count={found.signals.length + found.signals_before}>
        <Signals found={found} />
      </Part>
      <Refused acts={found.refused} />
      <Part title="Gates" count={found.gate_runs.length}>
        <GateRuns runs={found.gate_runs} />
      </Part>
      <Part title="Proof">
        <ProofFacts proof={found.proof} />
      </Part>
      <Part title="Agent">
        <AgentFacts agent={found.agent} />
      </Part>
      <Part title="Workspace">
        <WorkspaceFacts view={found} />
      </Part>
      <Part title="Prompt">
        <PromptFacts prompt={found.prompt} />
      </Part>
    </>
  );
}

/** What its agent tried by commands, which were a human's. */
function Refused({ acts }: { readonly acts: View["refused"] }) {
  if (acts.length === 0) return null;
  return (
    <Part title="Refused" count={acts.length}>
      {acts.map(({ position, body }) => (
        <div key={position}>
          <PlainText text={body} /> <Position at={position} />
        </div>
      ))}
    </Part>
  );
}

/** What went wrong: where it got stuck, how often it went back, irregular steps. */
function Trouble({ found: { failure, outcome, returns, irregular } }: { readonly found: View }) {
  return (
    <>
      {failure && <p class="is-failure">{failureInWords(failure, outcome)}</p>}
      {returns > 0 && <p>implementing ⇄ testing × {returns}</p>}
      {irregular > 0 && (
        <p class="session-irregular">! {counted(irregular, "irregular step")}, marked below</p>
      )}
    </>
  );
}

function States({ found }: { readonly found: View }) {
  const { at } = useAddress();
  const { states, states_before, completed_at, outcome } = found;
  const now = useNow(at === undefined ? undefined : millisecondsOf(found.now));
  return (
    <>
      {states_before > 0 && <p class="muted">{counted(states_before, "earlier phase")} not shown.</p>}
      <ol class="session-states">
        {states.map((entered, index) => {
          const next = states[index + 1];
          const from = millisecondsOf(entered.entered_at);
          const isLast = next === undefined && completed_at !== null;
          return (
            <li key={entered.ordinal}>
              <SessionSign state={entered.state} outcome={isLast ? outcome : null} />
              <span>{isLast ? "" : clockLength((next ? millisecondsOf(next.entered_at) : now) - from)}</span>
              <Position at={entered.position} />
              {entered.irregular === 1 && (
                <p>! {irregularSentence({ before: states[index - 1]?.state, state: entered.state })}</p>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Signals({ found }: { readonly found: View }) {
  const { signals, signals_before, task_id } = found;
  if (signals.length === 0) return <p class="muted">No signals</p>;
  return (
    <>
      {signals_before > 0 && <p class="muted">{counted(signals_before, "earlier signal")} not shown.</p>}
      <ol>
        {signals.map(({ id, verb, body, late }) => (
          <li key={id} class="session-signal">
            <p class="muted">
              <VerbLabel verb={verb} /> <TaskLink id={task_id} card={id} />
              {late && " late: does not change the task"}
            </p>
            <LazyMarkdown text={body} />
          </li>
        ))}
      </ol>
    </>
  );
}

function GateRuns({ runs }: { readonly runs: View["gate_runs"] }) {
  if (runs.length === 0) return <p class="muted">No gate was run</p>;
  return (
    <ol>
      {runs.map((run) => (
        <li key={run.id}>
          <GateRunLine run={run} /> <Position at={run.ended_position ?? run.id} />
          <GateRunOutput run={run} />
        </li>
      ))}
    </ol>
  );
}

/** Links to an event, and to the project at that position. */
function Position({ at }: { readonly at: number }) {
  return (
    <span class="position">
      <EventLink position={at} /> <AsOfLink position={at} />
    </span>
  );
}

function Part({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count?: number;
  readonly children: ComponentChildren;
}) {
  return (
    <section>
      <h3>
        {title} {count !== undefined && <span class="muted">{count.toLocaleString("en")}</span>}
      </h3>
      {children}
    </section>
  );
}
