import { Link } from "wouter-preact";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { Phase } from "../../parts/phase.tsx";
import { Ago, Since } from "../../parts/time.tsx";

/** Nothing waits: what runs, and when something last waited. */
export function Quiet({ answer: { running, last } }: { readonly answer: AnswerOf<"inbox"> }) {
  const { with: to } = useAddress();
  return (
    <div class="state quiet">
      {running.length === 0 ? (
        <p class="muted">No session runs.</p>
      ) : (
        <>
          <p class="muted">What runs:</p>
          <ul>
            {running.map(({ session, task, task_title, state, entered_at }) => (
              <li key={session}>
                <Phase state={state} /> <Since time={entered_at} /> ·{" "}
                <Link href={to({ session }, "/sessions")}>
                  #{task} {task_title}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {last ? (
        <p class="muted">
          Something last waited on <Link href={to({}, `/tasks/${last.task}`)}>task {last.task}</Link>: it came{" "}
          <Ago time={last.time} />, at <Link href={to({ event: last.id }, "/log")}>#{last.id}</Link>.
        </p>
      ) : (
        <p class="muted">Nothing has waited yet.</p>
      )}
    </div>
  );
}
