import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import type { InboxLine } from "../../../server/answers/inbox.ts";
import { useChanged } from "../../changed.ts";
import { KindSymbol, keyOf, wordOf } from "../../parts/inbox-item/kinds.tsx";
import { oneLine } from "../../parts/readable.ts";
import { Ago } from "../../parts/time.tsx";
import { Windowed } from "../../parts/windowed.tsx";

interface ListProps {
  readonly lines: readonly (InboxLine | undefined)[];
  /** The index of the selected item; -1 if unknown. */
  readonly place: number;
  readonly selected: string | undefined;
  /** Why actions were refused, by the items' keys. */
  readonly refused: ReadonlyMap<string, string>;
  /** The item whose row takes the focus when it is rendered. */
  readonly wantsFocus: { current: string | undefined };
  addressOf(key: string): string;
  onOpen(key: string): void;
  onWindow(first: number, last: number): void;
}

/** One row per item. A newly selected row is scrolled into view. */
export function InboxList({
  lines,
  place,
  selected,
  refused,
  wantsFocus,
  addressOf,
  onOpen,
  onWindow,
}: ListProps) {
  return (
    <Windowed
      label="Waiting for you, most urgent first"
      count={lines.length}
      rowHeight={56}
      show={place >= 0 ? place : undefined}
      align="auto"
      keyOf={(index) => (lines[index] ? keyOf(lines[index]) : index)}
      onWindow={onWindow}
      row={(index) => {
        const line = lines[index];
        if (!line) return <div class="inbox-row" />;
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
      <span class="inbox-text">{oneLine(line.text)}</span>
      <span class="muted inbox-age">{line.time && <Ago time={line.time} />}</span>
      <span class="muted inbox-task">
        {isRefused && <strong class="refused">refused · </strong>}
        {wordOf(line.kind)} · #{line.task} {oneLine(line.task_title)}
      </span>
    </Link>
  );
}
