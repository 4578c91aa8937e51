import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Popover } from "./popover.tsx";
import "./copy.css";
import { useEffect, useState } from "preact/hooks";

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

const SHOWN_MS = 2_000;

/** Copies texts to the clipboard. Where the browser does not allow it, `toSelect` is the text to copy by hand. */
function useCopy() {
  const [copied, setCopied] = useState(0);
  const [toSelect, setToSelect] = useState<string>();
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return {
    copied: copied > 0,
    toSelect,
    close: () => setToSelect(undefined),
    async copy(text: string): Promise<void> {
      try {
        // Only a secure origin has a clipboard; a panel on another machine is not one.
        await navigator.clipboard.writeText(text);
        setCopied((times) => times + 1);
      } catch {
        setToSelect(text);
      }
    },
  };
}
