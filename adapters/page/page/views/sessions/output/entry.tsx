import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { askServer } from "../../../answers.ts";
import { errorMessage, visible } from "../../../core.ts";
import { PlainText } from "../../../parts/plain-text.tsx";
import { MessageText } from "../../../parts/states.tsx";
import type { OutputEntry } from "./loaded.ts";

interface EntryProps {
  readonly session: string;
  readonly entry: OutputEntry;
  /** The whole text of a cut entry, once it was loaded. */
  readonly whole: string | undefined;
  readonly isPointed?: boolean;
  onWhole(text: string): void;
  /** Beside the label. */
  readonly children?: ComponentChildren;
}

/** An entry of a session's output. */
export function Entry({ session, entry, whole, isPointed = false, onWhole, children }: EntryProps) {
  const { kind, tool, isError, text, cut = 0, at, nth } = entry;
  const [fault, setFault] = useState<string>();
  const showAll = () => {
    askServer("session_output_entry", { session, from: at, nth }).then(
      ({ answer }) => onWhole(answer.text),
      (error: unknown) => setFault(errorMessage(error)),
    );
  };
  const name = tool === undefined ? LABELS[kind] : `${LABELS[kind]} ${visible(tool)}`;
  return (
    <article
      class={`output-entry output-${kind}${isError ? " is-error" : ""}`}
      aria-current={isPointed ? "true" : undefined}
    >
      <p class="output-label">
        <span>{isError ? `${name}, failed` : name}</span> {children}
      </p>
      <div class="output-text mono">
        <PlainText text={whole ?? text} />
      </div>
      {cut > 0 && whole === undefined && (
        <button type="button" onClick={showAll}>
          Show all: {cut.toLocaleString("en")} more characters
        </button>
      )}
      {fault !== undefined && (
        <p class="fault" role="alert">
          <MessageText text={fault} />
        </p>
      )}
    </article>
  );
}

const LABELS: Readonly<Record<OutputEntry["kind"], string>> = {
  said: "agent",
  thought: "thought",
  call: "call",
  result: "result",
  note: "run",
  stderr: "stderr",
  raw: "line",
};
