import { useId, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { useFixed } from "../answers.ts";
import type { MarkKind } from "../core.ts";
import { numbered } from "../parts/links.tsx";
import { Popover } from "../parts/popover.tsx";
import { oneLine } from "../parts/readable.ts";

/** A button that lists the marks near the position, each as a link. */
export function MarkList({ position }: { readonly position: number }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <span class="mark-list">
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        Marks
      </button>
      {isOpen && (
        <Popover
          id={id}
          label="Marks near this position"
          anchor={() => button.current}
          onClose={() => setOpen(false)}
        >
          <Marks position={position} />
        </Popover>
      )}
    </span>
  );
}

function Marks({ position }: { readonly position: number }) {
  const { with: to } = useAddress();
  const { answer: marks } = useFixed("marks_around", { position });
  if (marks?.length === 0)
    return <p>No marks yet. A mark appears when a session ends, a status changes or a human acts.</p>;
  return (
    <ol>
      {marks?.map(({ position: at, kinds, task, type, text }) => (
        <li key={at}>
          <Link href={to({ at })} aria-current={at === position ? "true" : undefined}>
            {numbered(at)} {kinds.map((kind) => KINDS[kind]).join(", ")}
          </Link>{" "}
          <span class="muted">
            {task !== null && `task ${task} · `}
            {type} · {oneLine(text)}
          </span>
        </li>
      ))}
    </ol>
  );
}

const KINDS: Readonly<Record<MarkKind, string>> = {
  session: "session ended",
  status: "status changed",
  human: "human acted",
};
