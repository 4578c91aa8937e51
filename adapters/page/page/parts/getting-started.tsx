import { useAnswer } from "../answers.ts";
import { Copy } from "./copy.tsx";
import { NewTaskButton } from "./task-form/new-task-button.tsx";
import "./begin.css";

/**
 * The first steps in a project that has nothing to show yet.
 *
 * @param what the heading, such as "No tasks yet"
 */
export function GettingStarted({ what }: { readonly what: string }) {
  return (
    <section class="begin">
      <h1>{what}</h1>
      <p>Add a task and start the loop. Results appear here.</p>
      <p>
        <NewTaskButton />
      </p>
      <ol>
        <Command text="signalbox task add 'Your first task' --description 'What to do.'" />
        <Command text="signalbox run" />
      </ol>
      <p>Or explore a demo project:</p>
      <ol>
        <Command text="signalbox demo && cd signalbox-demo && signalbox serve" />
      </ol>
    </section>
  );
}

/** True once the project is known to have no tasks. */
export function useHasNoTask(): boolean {
  const { answer } = useAnswer("overview", {});
  return answer !== undefined && Object.values(answer.counts).every((tasks) => tasks === 0);
}

function Command({ text }: { readonly text: string }) {
  return (
    <li>
      <code>{text}</code>
      <Copy what="command" name={`Copy: ${text}`} text={() => text} />
    </li>
  );
}
