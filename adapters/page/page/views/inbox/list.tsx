import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import type { InboxLine } from "../../../server/answers/inbox.ts";
import { useChanged } from "../../changed.ts";
import { errorMessage } from "../../core.ts";
import { notify } from "../../parts/inbox-item/handling.ts";
import { headingOf, type Kind, KindSymbol, keyOf, wordOf } from "../../parts/inbox-item/kinds.tsx";
import { oneLine } from "../../parts/readable.ts";
import { Ago } from "../../parts/time.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { useStore } from "../../store.ts";
import { type Group, rowAt, rowOf } from "./groups.ts";
import { markAll, marks, toggleMark } from "./marks.ts";

interface ListProps {
  readonly lines: readonly (InboxLine | undefined)[];
  readonly groups: readonly Group[];
  /** The kinds whose items can be marked now. */
  readonly markable: ReadonlySet<Kind>;
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
  groups,
  markable,
  place,
  selected,
  refused,
  wantsFocus,
  addressOf,
  onOpen,
  onWindow,
}: ListProps) {
  const marked = useStore(marks);
  const placeAt = (row: number) => {
    const of = rowAt(groups, row);
    return typeof of === "number" ? of : of.place;
  };
  return (
    <Windowed
      label="Waiting for you, most urgent first"
      count={lines.length + groups.length}
      rowHeight={56}
      show={place >= 0 ? rowOf(groups, place) : undefined}
      align="auto"
      keyOf={(index) => {
        const of = rowAt(groups, index);
        if (typeof of !== "number") return of.kind;
        return lines[of] ? keyOf(lines[of]) : index;
      }}
      onWindow={(first, last) => onWindow(placeAt(first), placeAt(last))}
      row={(index) => {
        const of = rowAt(groups, index);
        if (typeof of !== "number") return <GroupHeading group={of} isMarkable={markable.has(of.kind)} />;
        const line = lines[of];
        if (!line) return <div class="inbox-row" />;
        const key = keyOf(line);
        return (
          <Row
            line={line}
            href={addressOf(key)}
            isSelected={key === selected}
            isRefused={refused.has(key)}
            isMarked={markable.has(line.kind) ? marked.has(key) : undefined}
            wantsFocus={wantsFocus}
            onOpen={() => onOpen(key)}
          />
        );
      }}
    />
  );
}

function GroupHeading({ group, isMarkable }: { readonly group: Group; readonly isMarkable: boolean }) {
  return (
    <div class="inbox-group">
      <h2>
        {headingOf(group.kind)} <span class="muted">{group.items.toLocaleString("en")}</span>
      </h2>
      {isMarkable && group.items > 1 && (
        <button
          type="button"
          onClick={() => {
            markAll(group.kind).catch((error: unknown) =>
              notify(`Nothing was marked. ${errorMessage(error)}`),
            );
          }}
        >
          Mark all
        </button>
      )}
    </div>
  );
}

interface RowProps {
  readonly line: InboxLine;
  readonly href: string;
  readonly isSelected: boolean;
  readonly isRefused: boolean;
  /** Undefined for an item that cannot be marked. */
  readonly isMarked: boolean | undefined;
  readonly wantsFocus: { current: string | undefined };
  onOpen(): void;
}

function Row({ line, href, isSelected, isRefused, isMarked, wantsFocus, onOpen }: RowProps) {
  const key = keyOf(line);
  const id = `row-${key}`;
  const changed = useChanged();
  useEffect(() => {
    if (!isSelected || wantsFocus.current !== key) return;
    wantsFocus.current = undefined;
    document.getElementById(id)?.focus();
  });
  const row = (
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
        {wordOf(line.kind)} ·{" "}
        {line.task === null ? `plan-${line.plan}` : `#${line.task} ${oneLine(line.task_title)}`}
      </span>
    </Link>
  );
  if (isMarked === undefined) return row;
  return (
    <div class="inbox-markable">
      <label>
        <input
          type="checkbox"
          checked={isMarked}
          aria-label={`Mark: ${oneLine(line.text)}`}
          onChange={() => toggleMark(line)}
        />
      </label>
      {row}
    </div>
  );
}
