import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { Words } from "../../parts/words.tsx";
import type { WholeItem } from "./handling.ts";

/** What agents said last on the task. */
export function Context({ item: { task, told } }: { readonly item: WholeItem }) {
  const { with: to } = useAddress();
  if (told.length === 0) return null;
  return (
    <section class="told" aria-labelledby="told-heading">
      <h3 id="told-heading">Said last on #{task}</h3>
      <ul>
        {told.map(({ id, verb, session, text }) => (
          <li key={id}>
            <p class="muted">
              <strong>{verb}</strong> · {session} ·{" "}
              <Link href={`${to({}, `/tasks/${task}`)}#e${id}`}>#{id}</Link>
            </p>
            <Words text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
