import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Popover } from "./popover.tsx";
import { useCopy } from "./use-copy.ts";
import "./copy.css";

interface CopyProps {
  readonly what: string;
  /** The accessible name, where the button only says "Copy". */
  readonly name?: string;
  text(): string;
}

/** A button that copies a text and says so; where the browser does not allow it, it offers the text selected. */
export function Copy({ text, what, name }: CopyProps) {
  const { copied, toSelect, copy, close } = useCopy();
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const closeByHand = () => {
    close();
    button.current?.focus();
  };
  return (
    <span class="copy">
      <button
        ref={button}
        type="button"
        class={copied ? "is-copied" : undefined}
        aria-label={name ?? `Copy ${what}`}
        onClick={() => void copy(text())}
      >
        <span>{name === undefined ? `Copy ${what}` : "Copy"}</span>
        <span aria-hidden="true">✓ Copied</span>
      </button>
      <span role="status" class="hidden-but-read">
        {copied && "Copied."}
      </span>
      {toSelect !== undefined && (
        <Popover anchor={() => button.current} id={id} label={`Copy ${what} by hand`} onClose={closeByHand}>
          <ByHand text={toSelect} what={what} />
        </Popover>
      )}
    </span>
  );
}

/** The text, selected, with the keys that copy it. */
function ByHand({ text, what }: { readonly text: string; readonly what: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <label class="copy-by-hand">
      This browser copies only on localhost or https. The {what} is selected: press Ctrl-C.
      <textarea ref={field} readOnly rows={3} value={text} />
    </label>
  );
}
