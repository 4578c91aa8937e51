import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { visibleLines } from "../../../../events/visible.ts";
import type { Neighbour } from "../../../../projections/queries/neighbours.ts";
import type { TaskSummary } from "../../../../projections/queries/task-summary.ts";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { statusWords } from "../../parts/status-words.ts";
import { Why } from "../../parts/why.tsx";
import { Badges } from "./badges.tsx";
import { StatusMenu } from "./status-menu.tsx";
import "./side.css";

interface SideProps {
  readonly task: number;
  readonly board: Pick<AnswerOf<"board">, "stuck_limit">;
}

/** The selected task: what it is and what it waits for. What was said on it is on its own page. */
export function Side({ task, board }: SideProps) {
  const { answer, error } = useAnswer("task-summary", { task });
  return (
    <aside class="side" aria-label={`Task ${task}`} data-task={task}>
      <Close />
      {error ? (
        <Fault error={error} />
      ) : answer === undefined || (answer && answer.card.id !== task) ? (
        <Loading what={`task ${task}`} />
      ) : answer === null ? (
        <p class="state">There is no task #{task} here. It may have been deleted, or come later.</p>
      ) : (
        <Summary summary={answer} board={board} />
      )}
    </aside>
  );
}

function Close() {
  const { with: to } = useAddress();
  return (
    <Link class="side-close" href={to({ task: undefined })} title="Close (Esc)">
      <span class="on-phone">‹ Board</span>
      <span class="off-phone" aria-hidden="true">
        ✕
      </span>
      <span class="hidden-but-read off-phone">Close the task</span>
    </Link>
  );
}

function Summary({ summary, board }: { readonly summary: TaskSummary; readonly board: SideProps["board"] }) {
  const { with: to } = useAddress();
  const { card, description, criteria, hints, remaining, accept, gates, neighbours, proof } = summary;
  const { id, title, status, turn, priority, feature, discipline } = card;
  const of = (is: Neighbour["is"]) => neighbours.tasks.filter((task) => task.is === is);
  return (
    <>
      <h2>
        <span class="muted">#{id}</span> {title}
      </h2>
      <p class="side-state">
        <Why of={{ kind: "task", id }}>
          {turn === null ? statusWords[status] : `Ready, ${turn === 1 ? "next" : `${turn} in turn`}`}
        </Why>
        <StatusMenu card={card}>Set status</StatusMenu>
      </p>
      <p class="side-state">
        <Badges card={card} stuckLimit={board.stuck_limit} />
      </p>
      <p class="muted">
        {priority} · {feature} · {discipline}
        {accept === "human" && " · a human accepts it"}
      </p>
      <p>
        <Link class="side-more" href={to({}, `/tasks/${id}`)}>
          Timeline of #{id}
        </Link>
        {card.session && (
          <Link class="side-more" href={to({ session: card.session.id }, "/sessions")}>
            Session {card.session.id}
          </Link>
        )}
      </p>
      <Texts title="Description" text={description} />
      <Texts title="Remaining" text={remaining ?? ""} />
      <Texts title="Hints" text={hints ?? ""} />
      <List title="Criteria">
        {criteria.map((criterion) => (
          <li key={criterion}>{criterion}</li>
        ))}
      </List>
      <Related title="Depends on" tasks={of("dependency")} more={neighbours.more_dependencies} />
      <Related title="Holds up" tasks={of("dependent")} more={neighbours.more_dependents} />
      <List title="Gates">
        {gates.map(({ gate, command, state, approval, attempts, max_attempts }) => (
          <li key={gate}>
            <b>{approval === "waiting" ? "waits for approval" : state}</b>
            {attempts > 0 && `, ${attempts} of ${max_attempts} attempts failed`}
            <pre>{visibleLines(command).join("\n")}</pre>
          </li>
        ))}
      </List>
      {proof && (
        <List title="Last session's work">
          <li>{proof.claimed ? "claimed done by its agent" : "not claimed done"}</li>
          <li>
            {
              { yes: "verified by its gates", no: "not verified", no_gates: "no gate verifies it" }[
                proof.verified
              ]
            }
          </li>
          {proof.accepted && <li>accepted by {proof.accepted.by}</li>}
        </List>
      )}
    </>
  );
}

function Texts({ title, text }: { readonly title: string; readonly text: string }) {
  if (text.trim() === "") return null;
  return (
    <section>
      <h3>{title}</h3>
      <p class="text">{visibleLines(text).join("\n")}</p>
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

interface RelatedProps {
  readonly title: string;
  readonly tasks: readonly Neighbour[];
  readonly more: number;
}

/** Tasks as links to them, with their statuses. */
export function Related({ title, tasks, more }: RelatedProps) {
  const { with: to } = useAddress();
  if (tasks.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="related">
        {tasks.map((task) => (
          <li key={task.id}>
            <Link href={to({ task: task.id })}>
              #{task.id} {task.title}
            </Link>{" "}
            <span class="muted">{statusWords[task.status].toLowerCase()}</span>
          </li>
        ))}
        {more > 0 && <li class="muted">and {more.toLocaleString("en")} more</li>}
      </ul>
    </section>
  );
}
