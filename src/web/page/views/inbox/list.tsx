import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { visible } from "../../../../events/visible.ts";
import type { InboxLine } from "../../../server/answers/inbox.ts";
import { useChanged } from "../../changed.ts";
import { Ago } from "../../parts/time.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { KindSymbol, keyOf, wordOf } from "./kinds.tsx";

interface ListProps {
  readonly lines: readonly InboxLine[];
  readonly total: number;
  readonly selected: string | undefined;
  /** Why acts on items were refused, by their keys. */
  readonly refused: ReadonlyMap<string, string>;
  /** The item whose row takes the focus when it is drawn. */
  readonly wantsFocus: { current: string | undefined };
  addressOf(key: string): string;
  onOpen(key: string): void;
  onEnd(): void;
}

/** What waits, a row each; more is asked for when the end comes into sight. */
export function InboxList({
  lines,
  total,
  selected,
  refused,
  wantsFocus,
  addressOf,
  onOpen,
  onEnd,
}: ListProps) {
  const first = useRef(lines.findIndex((line) => keyOf(line) === selected));
  return (
    <Windowed
      label="What waits for you, the most urgent first"
      count={lines.length}
      rowHeight={56}
      show={first.current > 5 ? first.current : undefined}
      keyOf={(index) => (lines[index] ? keyOf(lines[index]) : index)}
      onWindow={(_, last) => {
        if (last >= lines.length - 1 && lines.length < total) onEnd();
      }}
      row={(index) => {
        const line = lines[index];
        if (!line) return null;
        const key = keyOf(line);
        return (
          <Row
            line={line}
            href={addressOf(key)}
            isSelected={key === selected}
            isRefused={refused.has(key)}
            wantsFocus={wantsFocus}
            onOpen={() => onOpen(key)}
          />
        );
      }}
    />
  );
}

interface RowProps {
  readonly line: InboxLine;
  readonly href: string;
  readonly isSelected: boolean;
  readonly isRefused: boolean;
  readonly wantsFocus: { current: string | undefined };
  onOpen(): void;
}

function Row({ line, href, isSelected, isRefused, wantsFocus, onOpen }: RowProps) {
  const key = keyOf(line);
  const id = `row-${key}`;
  const changed = useChanged();
  useEffect(() => {
    if (!isSelected || wantsFocus.current !== key) return;
    wantsFocus.current = undefined;
    document.getElementById(id)?.focus();
  });
  return (
    <Link
      id={id}
      class="inbox-row"
      data-changed={changed.event(line.id)}
      href={href}
      aria-current={isSelected ? "true" : undefined}
      onClick={() => {
        if (isSelected) onOpen();
      }}
    >
      <KindSymbol kind={line.kind} />
      <span class="inbox-text">{visible(line.text)}</span>
      <span class="muted inbox-age">{line.time && <Ago time={line.time} />}</span>
      <span class="muted inbox-task">
        {isRefused && <strong class="refused">refused · </strong>}
        {wordOf(line.kind)} · #{line.task} {visible(line.task_title)}
      </span>
    </Link>
  );
}
