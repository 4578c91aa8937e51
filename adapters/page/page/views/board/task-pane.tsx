import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { isBlank, type Neighbour, ordinal, type TaskSummary, visible } from "../../core.ts";
import { OpenItems } from "../../parts/inbox-item/open-items.tsx";
import { useOpenItems, useOpenItemsLoaded } from "../../parts/inbox-item/use-open-items.ts";
import { LazyMarkdown } from "../../parts/lazy-markdown.tsx";
import { SessionLink, TaskLink } from "../../parts/links.tsx";
import { Pane } from "../../parts/pane.tsx";
import { PlainText } from "../../parts/plain-text.tsx";
import { oneLine, readable } from "../../parts/readable.ts";
import { sessionName } from "../../parts/session-name.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { StatusMenu } from "../../parts/status-menu.tsx";
import { stateWords } from "../../parts/status-words.ts";
import { EditTaskButton } from "../../parts/task-form/edit-task-button.tsx";
import { Why } from "../../parts/why.tsx";
import { Badges } from "./badges.tsx";
import { notify } from "./notice.tsx";
import { Related } from "./related.tsx";
import "./task-pane.css";

interface TaskPaneProps {
  readonly task: number;
  readonly board: Pick<AnswerOf<"board">, "stuck_limit">;
}

/** The selected task in short. Its timeline is a page of its own. */
export function TaskPane({ task, board }: TaskPaneProps) {
  const { answer, error } = useAnswer("task-summary", { task });
  const summary = answer?.card.id === task ? answer : undefined;
  const head = summary && (
    <h2 tabIndex={-1}>
      <span class="muted">#{task}</span> {visible(summary.card.title)}
    </h2>
  );
  return (
    <Pane
      class="task-pane"
      label={`Task ${task}`}
      view="Board"
      close={{ task: undefined, item: undefined }}
      head={head}
      data-task={task}
    >
      {error ? (
        <Fault error={error} />
      ) : summary ? (
        <Summary key={task} summary={summary} board={board} />
      ) : answer === null ? (
        <p>Task #{task} does not exist here. It may have been deleted, or added later.</p>
      ) : (
        <Loading what={`task ${task}`} />
      )}
    </Pane>
  );
}

function Summary({
  summary,
  board,
}: {
  readonly summary: TaskSummary;
  readonly board: TaskPaneProps["board"];
}) {
  const { card, in_short, description, criteria, hints, remaining, accept, gates, neighbours, proof } =
    summary;
  const { id, status, turn, priority, feature, discipline } = card;
  const { with: to } = useAddress();
  const items = useOpenItems(id);
  const isLoaded = useOpenItemsLoaded(id);
  const of = (is: Neighbour["is"]) => neighbours.tasks.filter((task) => task.is === is);
  if (!isLoaded) return <Loading what={`task ${id}`} />;
  return (
    <>
      <p class="card-state">
        <Why of={{ kind: "task", id }}>
          {turn === null
            ? stateWords({ status, isWaiting: true })
            : `Ready, ${turn === 1 ? "next" : ordinal(turn)} in line`}
        </Why>
        <StatusMenu card={card} onSet={notify}>
          Set status
        </StatusMenu>
        <EditTaskButton task={id} />
      </p>
      <p class="card-state">
        <Badges card={card} stuckLimit={board.stuck_limit} />
      </p>
      {in_short !== null && <p class="in-short">{oneLine(in_short)}</p>}
      <OpenItems task={id} items={items} hasKeys={() => !isOnOtherTask(id)} />
      <p class="muted">
        {priority} · {visible(feature)} · {visible(discipline)}
        {accept === "human" && " · needs human acceptance"}
      </p>
      <p>
        <TaskLink class="more" id={id}>
          Timeline of #{id}
        </TaskLink>
        <Link class="more" href={to({ show: "graph" })}>
          Graph
        </Link>
        {card.session && (
          <SessionLink class="more" id={card.session.id}>
            Session {sessionName(card.session.id)}
          </SessionLink>
        )}
      </p>
      <Texts title="Description" text={description} />
      <Texts title="Remaining" text={remaining ?? ""} />
      <Texts title="Hints" text={hints ?? ""} />
      <List title="Criteria">
        {criteria.map((criterion) => (
          <li key={criterion}>
            <PlainText text={criterion} />
          </li>
        ))}
      </List>
      <Related title="Depends on" tasks={of("dependency")} more={neighbours.more_dependencies} />
      <Related title="Needed by" tasks={of("dependent")} more={neighbours.more_dependents} />
      <List title="Gates">
        {gates.map(({ gate, command, state, approval, attempts, max_attempts }) => (
          <li key={gate}>
            <b>{approval === "waiting" ? "waiting for approval" : state}</b>
            {attempts > 0 && `, ${attempts} of ${max_attempts} attempts failed`}
            <pre>{readable(command)}</pre>
          </li>
        ))}
      </List>
      {proof && (
        <List title="Proof of the last session">
          <li>{proof.claimed ? "the agent claims it is done" : "the agent does not claim it is done"}</li>
          <li>
            {
              { yes: "verified by its gates", no: "not verified", no_gates: "no gates to verify it" }[
                proof.verified
              ]
            }
          </li>
          {proof.accepted && <li>accepted by {visible(proof.accepted.by)}</li>}
        </List>
      )}
    </>
  );
}

/** True while the card of another task has the focus: keys are for that one. */
function isOnOtherTask(task: number): boolean {
  const place = document.activeElement?.closest<HTMLElement>("[data-task]");
  return place != null && place.dataset.task !== String(task);
}

function Texts({ title, text }: { readonly title: string; readonly text: string }) {
  if (isBlank(text)) return null;
  return (
    <section>
      <h3>{title}</h3>
      <LazyMarkdown text={text} />
    </section>
  );
}

function List({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const isEmpty = Array.isArray(children) && children.length === 0;
  if (isEmpty) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}
