import { oneLine, type Verb, visible } from "../../core.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { PlainText } from "../../parts/plain-text.tsx";
import { BlockerState, FlagState, QuestionState, SuggestionState, UnverifiedDone } from "./item-states.tsx";
import type { Card } from "./use-cards.ts";

/** How a verb's arguments are shown: the main text, the badges, and further parts with headings. */
interface Shape {
  readonly says: string;
  readonly classes: readonly string[];
  readonly parts: readonly (readonly [argument: string, name: string])[];
}

const SHAPES: Readonly<Record<Verb, Shape>> = {
  done: { says: "summary", classes: [], parts: [] },
  partial: { says: "summary", classes: [], parts: [["remaining", "Remaining"]] },
  stuck: { says: "reason", classes: [], parts: [] },
  ask: { says: "question", classes: [], parts: [] },
  flag: { says: "what", classes: ["severity", "category"], parts: [] },
  learned: { says: "text", classes: ["kind", "scope"], parts: [["rationale", "Rationale"]] },
  suggest: {
    says: "what",
    classes: ["kind"],
    parts: [
      ["why", "Why"],
      ["feature", "Feature"],
    ],
  },
  blocked: { says: "on", classes: ["kind"], parts: [["detail", "Detail"]] },
};

type Payload = Readonly<Record<string, unknown>>;

/** A signal's arguments, and the state of what it raised. */
export function SignalBody(signal: {
  readonly card: Card;
  readonly verb: Verb;
  readonly payload: Payload;
  /** True while the card has the actions of what it raised, which list a question's options. */
  readonly isOpen: boolean;
}) {
  const { card, verb, payload, isOpen } = signal;
  const { says, parts } = SHAPES[verb];
  return (
    <>
      <Markdown text={textOf(payload[says])} />
      {parts
        .filter(([argument]) => payload[argument] !== undefined)
        .map(([argument, name]) => (
          <section class="part" key={argument}>
            <h2>{name}</h2>
            <Markdown text={textOf(payload[argument])} />
          </section>
        ))}
      {verb === "ask" && !isOpen && <Options payload={payload} chosen={card.question?.answer ?? null} />}
      {card.question && <QuestionState question={card.question} />}
      {card.blocker && <BlockerState blocker={card.blocker} />}
      {card.suggestion && <SuggestionState suggestion={card.suggestion} />}
      {card.flag && <FlagState flag={card.flag} />}
      {card.unverified && <UnverifiedDone gates={card.unverified} refused={card.refused} />}
    </>
  );
}

/** Badges of a signal: its severity, its kind, whether it blocks. */
export function Classes({ verb, payload }: { readonly verb: Verb; readonly payload: Payload }) {
  const words = SHAPES[verb].classes.flatMap((name) =>
    payload[name] === undefined ? [] : [textOf(payload[name])],
  );
  if (verb === "ask") words.push(payload.blocking === true ? "blocking" : "non-blocking");
  return words.map((word) => (
    <span class="badge" key={word}>
      {visible(word).replaceAll("_", " ")}
    </span>
  ));
}

/** The options of a question, with the preferred and the chosen one. */
function Options(ask: { readonly payload: Payload; readonly chosen: string | null }) {
  const { preferred, ...offered } = ask.payload as {
    readonly options?: readonly string[];
    readonly preferred?: string;
  };
  const options = offered.options?.map(oneLine);
  const isPreferred = (option: string) => preferred !== undefined && option === oneLine(preferred);
  const isOffered = options?.some(isPreferred) ?? false;
  return (
    <>
      {preferred !== undefined && !isOffered && (
        <section class="part">
          <h2>Preferred</h2>
          <Markdown text={preferred} />
        </section>
      )}
      {options && options.length > 0 && (
        <section class="part">
          <h2>Options</h2>
          <ul class="options">
            {options.map((option) => (
              <li key={option}>
                <PlainText text={option} />
                {isPreferred(option) && <span class="badge">preferred</span>}
                {option === ask.chosen && <span class="badge chosen">chosen</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
