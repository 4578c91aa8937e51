import type { AnswerOf } from "../../../server/answers/index.ts";
import { visible } from "../../core.ts";
import { GettingStarted, useHasNoTask } from "../../parts/getting-started.tsx";
import { EventLink, SessionLink, TaskLink } from "../../parts/links.tsx";
import { Phase } from "../../parts/phase.tsx";
import { Ago, Since } from "../../parts/time.tsx";

/** For an empty inbox: the running sessions and the last item. */
export function Quiet({ answer: { running, last } }: { readonly answer: AnswerOf<"inbox"> }) {
  const isEmpty = useHasNoTask();
  if (isEmpty) return <GettingStarted what="Nothing has needed you yet" />;
  return (
    <div class="quiet">
      {running.length === 0 ? (
        <p class="muted">No session is running.</p>
      ) : (
        <>
          <p class="muted">Running now:</p>
          <ul>
            {running.map(({ session, task, task_title, state, entered_at }) => (
              <li key={session}>
                <Phase state={state} /> <Since time={entered_at} /> ·{" "}
                <SessionLink id={session}>
                  #{task} {visible(task_title)}
                </SessionLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {last ? (
        <p class="muted">
          The last item was on <TaskLink id={last.task}>task {last.task}</TaskLink>, <Ago time={last.time} />{" "}
          (<EventLink position={last.id} />
          ).
        </p>
      ) : (
        <p class="muted">Nothing has needed you yet.</p>
      )}
    </div>
  );
}
