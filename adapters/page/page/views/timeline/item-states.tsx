import { visible } from "../../core.ts";
import { GateRunLine, GateRunOutput } from "../../parts/gate-run.tsx";
import { EventLink, TaskLink } from "../../parts/links.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { readable } from "../../parts/readable.ts";
import { blockerWords, questionWords } from "../../parts/state-words.ts";
import type { Card } from "./use-cards.ts";

/** The answer to a question, or its state. */
export function QuestionState({ question }: { readonly question: NonNullable<Card["question"]> }) {
  const { state, answer, acted_at, by } = question;
  if (state === "answered" && answer !== null) {
    return (
      <section class="part became">
        <h2>
          Answered by {visible(by ?? "a human")} <Event position={acted_at} />
        </h2>
        <Markdown text={answer} />
      </section>
    );
  }
  return <StateLine words={questionWords[state]} position={acted_at} isWaiting={state === "open"} />;
}

export function BlockerState({ blocker }: { readonly blocker: NonNullable<Card["blocker"]> }) {
  const { state, depends_on, contests, acted_at } = blocker;
  const task = depends_on === null ? null : <TaskLink id={depends_on}>task {depends_on}</TaskLink>;
  return (
    <p class="became">
      {contests ? "contests " : task && "waiting for "}
      {task}
      {task && " · "}
      <span class={state === "open" ? "waiting" : "muted"}>{blockerWords[state]}</span>{" "}
      <Event position={acted_at} />
    </p>
  );
}

export function SuggestionState({ suggestion }: { readonly suggestion: NonNullable<Card["suggestion"]> }) {
  const { state, proposed_task, unknown_feature, acted_at } = suggestion;
  return (
    <p class="became">
      {proposed_task !== null && (
        <>
          became <TaskLink id={proposed_task}>task {proposed_task}</TaskLink> ·{" "}
        </>
      )}
      <span class={state === "proposed" ? "waiting" : "muted"}>{SUGGESTION[state]}</span>
      {unknown_feature === 1 && <span class="muted"> · its feature does not exist</span>}{" "}
      <Event position={acted_at} />
    </p>
  );
}

/** Who acknowledged a flag. */
export function FlagState({ flag: { acted_at, acted_by } }: { readonly flag: NonNullable<Card["flag"]> }) {
  return (
    <StateLine
      words={`acknowledged by ${visible(acted_by ?? "a human")}`}
      position={acted_at}
      isWaiting={false}
    />
  );
}

const SUGGESTION = {
  stored: "saved for a human",
  proposed: "waiting for approval",
  approved: "approved",
  rejected: "rejected",
} as const;

/** An unverified done: what was found in the workspace, and the gates that did not pass, with the end of their output. */
export function UnverifiedDone({
  gates,
  refused,
}: {
  readonly gates: NonNullable<Card["unverified"]>;
  readonly refused: Card["refused"];
}) {
  return (
    <section class="part unverified">
      <h2>Unverified: the done did not count</h2>
      {refused.map((found) => (
        <p key={found}>{visible(found)}</p>
      ))}
      {gates.map(({ gate, command, run }) => (
        <div key={gate}>
          {run ? (
            <>
              <p>
                <GateRunLine run={run} />
                {run.state === "passed" && " on other files than those that the session left"}{" "}
                <Event position={run.ended_position ?? run.id} />
              </p>
              <GateRunOutput run={run} isOpen />
            </>
          ) : (
            <p>
              Gate {gate} {command !== null && <code>{readable(command)}</code>} was not run
            </p>
          )}
        </div>
      ))}
    </section>
  );
}

function StateLine(became: {
  readonly words: string;
  readonly position: number | null;
  readonly isWaiting: boolean;
}) {
  return (
    <p class="became">
      <span class={became.isWaiting ? "waiting" : "muted"}>{became.words}</span>{" "}
      <Event position={became.position} />
    </p>
  );
}

/** A link to the event of an action. */
function Event({ position }: { readonly position: number | null }) {
  return position === null ? null : <EventLink class="position" position={position} />;
}
