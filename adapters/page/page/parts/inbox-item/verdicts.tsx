import type { RefObject } from "preact";
import { isBlank, visible } from "../../core.ts";
import { useDraft } from "../../drafts.ts";
import { ActButton } from "../act-button.tsx";
import type { OfferedAct, WholeItem } from "./handling.ts";
import { keyOf } from "./kinds.tsx";

/** The options of a question, the preferred one first. */
export function Choices({
  item,
  disabledReason,
  onChoose,
}: {
  readonly item: WholeItem;
  readonly disabledReason: string | undefined;
  onChoose(choice: string): void;
}) {
  return (
    <ol class="choices" aria-label="Options">
      {item.choices.map((choice, place) => (
        <li key={choice}>
          <ActButton class="choice" disabledReason={disabledReason} onAct={() => onChoose(choice)}>
            {place < 9 && <kbd>{place + 1}</kbd>}
            <span>{visible(choice)}</span>
            {choice === item.preferred && <span class="badge preferred">preferred</span>}
          </ActButton>
        </li>
      ))}
    </ol>
  );
}

/** A button with its effect below. */
export function Verdict({
  of,
  act,
  isMain,
  disabledReason,
  onAct,
}: {
  /** The item's key. */
  readonly of: string;
  readonly act: OfferedAct;
  readonly isMain: boolean;
  readonly disabledReason: string | undefined;
  onAct(): void;
}) {
  const effect = `effect-${of}-${act.key}`;
  return (
    <div class="verdict">
      <ActButton
        class={isMain ? "main" : undefined}
        disabledReason={disabledReason}
        aria-describedby={disabledReason === undefined ? effect : `why-no-acts-${of} ${effect}`}
        aria-keyshortcuts={act.key}
        onAct={onAct}
      >
        {capital(act.label)}{" "}
        <span class="key" aria-hidden="true">
          {act.key}
        </span>
      </ActButton>
      <span id={effect} class="muted">
        {act.effect}
      </span>
    </div>
  );
}

/** The text field of one or several actions. Ctrl-Enter sends the one whose key was pressed last, else the first. The draft is kept until it is recorded. */
export function Written({
  item,
  acts,
  chosen,
  field,
  disabledReason,
  onSend,
}: {
  readonly item: WholeItem;
  readonly acts: readonly OfferedAct[];
  /** The key of an action. */
  readonly chosen: string | undefined;
  readonly field: RefObject<HTMLTextAreaElement>;
  readonly disabledReason: string | undefined;
  onSend(act: OfferedAct, text: string): void;
}) {
  const [text, write] = useDraft(keyOf(item));
  const isReady = !isBlank(text) && disabledReason === undefined;
  const main = acts.find(({ key }) => key === chosen) ?? acts[0];
  const send = (act: OfferedAct | undefined) => act && isReady && onSend(act, text.trim());
  return (
    <form
      class="written"
      onSubmit={(event) => {
        event.preventDefault();
        send(main);
      }}
    >
      <label>
        <span>{FIELDS[item.kind] ?? "What remains to be done"}</span>
        <textarea
          ref={field}
          rows={2}
          value={text}
          aria-keyshortcuts={acts.map(({ key }) => key).join(" ")}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") leave(event.currentTarget, keyOf(item));
            else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && isReady) send(main);
            else return;
            event.preventDefault();
          }}
        />
      </label>
      {acts.map((act) => (
        <div key={act.label} class="verdict">
          <ActButton
            disabledReason={disabledReason ?? (isReady ? undefined : "Write the text first.")}
            {...(act !== main && { onAct: () => send(act) })}
          >
            {capital(act.label)}{" "}
            {act === main && (
              <span class="key" aria-hidden="true">
                Ctrl-Enter
              </span>
            )}
          </ActButton>
          <span class="muted">{act.effect}</span>
        </div>
      ))}
    </form>
  );
}

/** What the field is for, by the item's kind. */
const FIELDS: { readonly [Kind in WholeItem["kind"]]?: string } = {
  question: "Your own answer",
  stall: "A hint, a description, or parts",
};

/** Leaves the field for the item's row in the list, or for its card or pane. */
function leave(field: HTMLElement, key: string): void {
  const place =
    document.getElementById(`row-${key}`) ?? field.closest<HTMLElement>(".open-items, .timeline-card");
  place?.focus();
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
