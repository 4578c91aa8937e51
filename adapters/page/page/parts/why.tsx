import type { ComponentChildren } from "preact";
import type { Why as Reasons } from "../../server/answers/why.ts";
import { useAnswer } from "../answers.ts";
import { counted, visible } from "../core.ts";
import { EventLink } from "./links.tsx";
import { oneLine } from "./readable.ts";
import { changeWords } from "./status-words.ts";
import { Moment } from "./time.tsx";
import { Tip } from "./tip.tsx";
import "./why.css";

/** A task's status, the state of an item that a session raised, or a session's outcome. */
type Explained =
  | { readonly kind: "task" | "question" | "blocker" | "suggestion"; readonly id: number }
  | { readonly kind: "session"; readonly id: string };

interface WhyProps {
  readonly of: Explained;
  /** The explained word, such as a status. */
  readonly children: ComponentChildren;
  /** True where the place already tells the word: it is only read out, and the button says "why?". */
  readonly isTold?: boolean;
}

/** Explains a status on hover, focus or tap: the rule, its place in docs/rules.md and the events. */
export function Why({ of, children, isTold = false }: WhyProps) {
  return (
    <Tip
      class={isTold ? "why is-told" : "why"}
      look="why-button"
      label={`Why ${nameOf(of)} has its ${explainedBy(of)}`}
      tip={<WhyText of={of} />}
    >
      {isTold ? <span class="hidden-but-read">{children} </span> : children}
      <span class={isTold ? undefined : "hidden-but-read"}>why?</span>
      {typeof of.id === "number" && <span class="hidden-but-read"> #{of.id}</span>}
    </Tip>
  );
}

function WhyText({ of }: { readonly of: Explained }) {
  const { answer, error, isOld } = useAnswer("why", { kind: of.kind, of: String(of.id) });
  if (error) return <p role="alert">{error.message}</p>;
  if (answer === undefined || isOld) return <p class="muted why-waits">…</p>;
  if (answer === null) return <p>There was no {nameOf(of)} yet.</p>;
  const [first, ...earlier] = answer.reasons;
  return (
    <div class="why-text">
      {first && <Reason reason={first} why={answer} />}
      {answer.next.length > 0 && (
        <>
          <h3>Next</h3>
          <ul>
            {answer.next.map(({ what, events }) => (
              <li key={what}>
                {what} <Links positions={events} />
              </li>
            ))}
          </ul>
        </>
      )}
      {earlier.length > 0 && (
        <details>
          <summary>{counted(earlier.length + answer.more, "earlier reason")}</summary>
          {earlier.map((reason, nth) => (
            <Reason key={earlier.length - nth} reason={reason} why={answer} />
          ))}
          {answer.more > 0 && <p class="muted">… and {answer.more} more</p>}
        </details>
      )}
    </div>
  );
}

type OneReason = Reasons["reasons"][number];

function Reason({ reason, why }: { readonly reason: OneReason; readonly why: Reasons }) {
  const { from, to, rule, events } = reason;
  return (
    <section class="why-reason">
      {to !== null && <h3>{changeWords({ from, to })}</h3>}
      <p>
        <RuleText rule={rule} />
      </p>
      <Events positions={events} why={why} />
    </section>
  );
}

/** A rule in words, with its place in docs/rules.md. */
export function RuleText({ rule }: { readonly rule: OneReason["rule"] }) {
  if (!rule) return <>This version of signalbox does not know the rule.</>;
  return (
    <>
      {rule.sentence}{" "}
      <span class="muted">
        (rules.md, {rule.section}
        {rule.step === undefined ? "" : `: ${rule.step}`})
      </span>
    </>
  );
}

function Events({ positions, why }: { readonly positions: readonly number[]; readonly why: Reasons }) {
  const facts = positions.flatMap((position) => why.events.find((fact) => fact.position === position) ?? []);
  if (facts.length === 0) return null;
  return (
    <ul class="why-events">
      {facts.map(({ position, text, type, actor, time }) => (
        <li key={position}>
          <Links positions={[position]} />
          {oneLine(text) || type}{" "}
          <span class="muted">
            {visible(actor)}, <Moment time={time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Positions as links to their events. */
export function Links({ positions }: { readonly positions: readonly number[] }) {
  return (
    <>
      {positions.map((position) => (
        <>
          <EventLink key={position} position={position} />{" "}
        </>
      ))}
    </>
  );
}

function explainedBy({ kind }: Explained): string {
  return kind === "task" ? "status" : kind === "session" ? "outcome" : "state";
}

function nameOf({ kind, id }: Explained): string {
  return `${kind} ${id}`;
}
