import { LazyMarkdown } from "../lazy-markdown.tsx";
import { SessionLink, TaskLink } from "../links.tsx";
import { VerbLabel } from "../verb.tsx";
import type { WholeItem } from "./handling.ts";

/** The latest signals on the task. */
export function Context({ item: { task, told } }: { readonly item: WholeItem }) {
  if (told.length === 0) return null;
  return (
    <section class="told" aria-labelledby="told-heading">
      <h3 id="told-heading">Latest signals on #{task}</h3>
      <ul>
        {told.map(({ id, verb, session, text }) => (
          <li key={id}>
            <p class="muted">
              <VerbLabel verb={verb} /> · <SessionLink id={session} /> · <TaskLink id={task} card={id} />
            </p>
            <LazyMarkdown text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
