import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAnswer } from "../../answers.ts";
import { visible } from "../../core.ts";
import { EventLink } from "../../parts/links.tsx";
import { Unanswered } from "../../parts/states.tsx";
import { Moment } from "../../parts/time.tsx";
import "./policies.css";

/** The policies of the project at the shown position, and who set each. */
export function PoliciesView() {
  const { answer, error } = useAnswer("policies", {});
  if (error || !answer) return <Unanswered view="Policies" what="the policies" error={error} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll
    <section class="policies scroll" tabIndex={0} aria-label="Policies">
      <h1>Policies</h1>
      <p class="muted">
        Rules for settling tasks. You set one with <code>signalbox policy set NAME VALUE</code>.
      </p>
      <ul>
        {answer.map((policy) => (
          <Policy key={policy.name} policy={policy} />
        ))}
      </ul>
    </section>
  );
}

function Policy({ policy }: { readonly policy: AnswerOf<"policies">[number] }) {
  const { name, value, default: absent, position, set, does, takes } = policy;
  return (
    <li aria-label={name}>
      <h2 class="mono">
        {name}: {String(value)}
      </h2>
      <p>
        {does[0]?.toUpperCase()}
        {does.slice(1)}. It takes {takes}; the default is {String(absent)}.
      </p>
      <p class="muted">
        {position === null || set === null ? (
          "Never set"
        ) : (
          <>
            Set by {visible(set.by)} at <Moment time={set.at} />, <EventLink position={position} />
          </>
        )}
      </p>
    </li>
  );
}
