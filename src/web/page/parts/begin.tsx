import { useState } from "preact/hooks";
import "./begin.css";

/** What to do in a project in which nothing has happened yet. */
export function Begin() {
  return (
    <section class="begin">
      <h1>Nothing is on the board yet</h1>
      <p>Add a task, start the loop, and it appears here:</p>
      <ol>
        <Command text="signalbox task add 'Your first task' --description 'What is to be done.'" />
        <Command text="signalbox run" />
      </ol>
      <p>Or look at a project in which much has happened:</p>
      <ol>
        <Command text="signalbox demo && cd signalbox-demo && signalbox serve" />
      </ol>
    </section>
  );
}

function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <li>
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy: ${text}`}>
        {isCopied ? "copied" : "copy"}
      </button>
    </li>
  );
}
