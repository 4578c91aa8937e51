import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { TaskStatus } from "../../../events/types/fields.ts";
import { visible } from "../../../events/visible.ts";
import type { Why as Reasons } from "../../server/answers/why.ts";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answers.ts";
import { Popover } from "./popover.tsx";
import { statusWords } from "./status-words.ts";
import { Moment } from "./time.tsx";
import "./why.css";

/** What can be explained: a task's status, the state of what a session raised, a session's outcome. */
type Explained =
  | { readonly kind: "task" | "question" | "blocker" | "suggestion"; readonly id: number }
  | { readonly kind: "session"; readonly id: string };

interface WhyProps {
  readonly of: Explained;
  /** What is shown always: a word for what is explained, such as a status. */
  readonly children: ComponentChildren;
}

/**
 * Shows a status, and on hover, focus or a tap why it is so: the rule, its place in rules.md and the events that it looked
 * at. `Esc` closes it; pointer and focus can go into it (WCAG 1.4.13).
 */
export function Why({ of, children }: WhyProps) {
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useHoverOrFocus(area, setOpen);
  return (
    <span ref={area} class="why">
      <button
        ref={button}
        type="button"
        class="why-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(true)}
      >
        {children}
        <span class="hidden-but-read">why?</span>
      </button>
      {isOpen && (
        <Popover anchor={button} id={id} label={`Why ${nameOf(of)} is so`} onClose={() => setOpen(false)}>
          <WhyText of={of} />
        </Popover>
      )}
    </span>
  );
}

function WhyText({ of }: { readonly of: Explained }) {
  const { answer, error, isOld } = useAnswer("why", { kind: of.kind, of: String(of.id) });
  if (error) return <p role="alert">{error.message}</p>;
  if (answer === undefined || isOld) return <p class="muted why-waits">…</p>;
  if (answer === null) return <p>{nameOf(of)} was not there yet.</p>;
  const [first, ...earlier] = answer.reasons;
  return (
    <div class="why-text">
      {first && <Reason reason={first} why={answer} />}
      {answer.next.length > 0 && (
        <>
          <h4>Next</h4>
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
          <summary>Before that: {earlier.length + answer.more}</summary>
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
      {to !== null && <h4>{from === null ? `Added as ${wordOf(to)}` : `${wordOf(from)} → ${wordOf(to)}`}</h4>}
      {rule ? (
        <p>
          {rule.sentence}{" "}
          <span class="muted">
            (rules.md, {rule.section}
            {rule.step === undefined ? "" : `: ${rule.step}`})
          </span>
        </p>
      ) : (
        <p>By a rule that this version of signalbox does not know.</p>
      )}
      <Events positions={events} why={why} />
    </section>
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
          {lineOf(text) || type}{" "}
          <span class="muted">
            {actor}, <Moment time={time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Positions alone, of events that are told elsewhere. */
function Links({ positions }: { readonly positions: readonly number[] }) {
  const { with: to } = useAddress();
  return (
    <>
      {positions.map((position) => (
        <>
          <Link key={position} href={to({ event: position }, "/log")}>
            #{position.toLocaleString("en")}
          </Link>{" "}
        </>
      ))}
    </>
  );
}

/** One line of what a timeline shows in several, without the marks of its bold words. */
function lineOf(text: string): string {
  return visible(text.replace(/\s+/g, " ").replace(/\*\*([^*]+)\*\*/g, "$1"));
}

function wordOf(status: TaskStatus): string {
  return statusWords[status].toLowerCase();
}

function nameOf({ kind, id }: Explained): string {
  return kind === "task" ? `task ${id}` : `${kind} ${id}`;
}

/** The pointer may cross the gap to what has opened, or pass over on its way elsewhere. */
const OPEN_MS = 120;
const CLOSE_MS = 250;

function useHoverOrFocus(
  area: { readonly current: HTMLElement | null },
  setOpen: (open: boolean) => void,
): void {
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (open: boolean, milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => setOpen(open), milliseconds);
    };
    const hasFocus = () => element.contains(document.activeElement);
    const listening = new AbortController();
    const { signal } = listening;
    const enter = ({ pointerType }: PointerEvent) => pointerType === "mouse" && later(true, OPEN_MS);
    element.addEventListener("pointerenter", enter, { signal });
    element.addEventListener("pointerleave", () => !hasFocus() && later(false, CLOSE_MS), { signal });
    element.addEventListener("focusin", () => later(true, 0), { signal });
    element.addEventListener(
      "focusout",
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) later(false, 0);
      },
      { signal },
    );
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [area, setOpen]);
}
