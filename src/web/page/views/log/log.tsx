import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { visible } from "../../../../events/visible.ts";
import type { EventLine } from "../../../server/answers/log.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { useChanged } from "../../changed.ts";
import { BadAddress, notNumber } from "../../parts/bad-address.tsx";
import { Begin } from "../../parts/begin.tsx";
import { NoHits } from "../../parts/no-hits.tsx";
import { Fault, Loading } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { useAllLines } from "./all-lines.ts";
import { EventPane } from "./event-pane.tsx";
import { filterIn, isFiltered, noFilter } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { useFoundLines } from "./found-lines.ts";
import "./log.css";

/** All events, the newest first, and one of them with all that it says. */
export function LogView() {
  const address = useAddress();
  const { answer: overview, position: head = 0, error } = useAnswer("overview", {});
  if (error) return <Fault error={error} />;
  if (!overview) return <Loading what="the log" />;
  if (head === 0) return <Begin what="Nothing has happened yet" />;
  const task = notNumber("task's number", address.get("task"));
  if (task !== undefined) return <BadAddress clear={{ task: undefined }}>{task}</BadAddress>;
  const event = notNumber("event's position", address.get("event"));
  if (event !== undefined) return <BadAddress clear={{ event: undefined }}>{event}</BadAddress>;
  return <Log head={head} />;
}

function Log({ head }: { readonly head: number }) {
  const address = useAddress();
  const filter = filterIn(address);
  const { at } = address;
  const isAll = !isFiltered(filter);
  const selected = positionIn(address.get("event"));
  const [shown, setShown] = useState<readonly [number, number]>([0, 0]);
  const { seen, onEdges, toTop, top } = useSeen(head, selected);
  const all = useAllLines(isAll, { head, seen, shown });
  const found = useFoundLines(!isAll, { filter, head, seen, shown, at });
  const lines = isAll ? all : found;
  const isNothing = !isAll && lines.isRead && lines.count === 0;
  const index = selected === undefined ? -1 : indexOf(lines, selected, isAll ? seen : undefined);
  return (
    <div class="log">
      <h1 class="hidden-but-read">Log</h1>
      <Filters />
      <div class="panes">
        <div class="log-list">
          {lines.error && (
            <>
              <Fault error={lines.error} />
              <NoHits clear={noFilter}>Nothing was looked for.</NoHits>
            </>
          )}
          {isNothing && <NoHits clear={noFilter}>No event is let through by these filters.</NoHits>}
          {!isAll && !isNothing && (
            <p class="muted log-found" role="status">
              {lines.lookedTo === undefined
                ? `${lines.count.toLocaleString("en")} found`
                : `${lines.count.toLocaleString("en")} found down to #${lines.lookedTo.toLocaleString("en")}`}
            </p>
          )}
          <Windowed
            key={JSON.stringify([filter, at, top])}
            label="Events, the newest first"
            count={lines.count}
            rowHeight={32}
            align="auto"
            show={index < 0 ? undefined : index}
            keyOf={(nth) => lines.positionAt(nth) ?? nth}
            onWindow={(first, last) => setShown([first, last])}
            onEdges={onEdges}
            row={(nth) => {
              const position = lines.positionAt(nth);
              return position === undefined ? null : (
                <LogRow position={position} line={lines.lineAt(nth)} isSelected={position === selected} />
              );
            }}
          />
          <Unseen count={lines.unseen} where="↑" onGo={toTop} />
        </div>
        {selected !== undefined && (
          <EventPane
            position={selected}
            last={head}
            older={index < 0 ? neighbour(selected - 1, head) : lines.positionAt(index + 1) || undefined}
            newer={index < 0 ? neighbour(selected + 1, head) : newerThan(selected, index)}
          />
        )}
      </div>
    </div>
  );

  /** Of all events that too which is not in the list yet. */
  function newerThan(position: number, nth: number): number | undefined {
    return isAll ? neighbour(position + 1, head) : nth > 0 ? lines.positionAt(nth - 1) : undefined;
  }
}

function LogRow({
  position,
  line,
  isSelected,
}: {
  readonly position: number;
  readonly line: EventLine | undefined;
  readonly isSelected: boolean;
}) {
  const { with: to } = useAddress();
  const changed = useChanged();
  return (
    <Link
      class="log-row"
      data-changed={changed.event(position)}
      href={to({ event: position })}
      aria-current={isSelected ? "true" : undefined}
    >
      <span class="position muted">#{position.toLocaleString("en")}</span>
      <span class="when muted">{line && <Ago time={line.recordedAt} />}</span>
      <span class="actor">{line && visible(line.actor)}</span>
      <span class="mono">{line?.type}</span>
      <span class="text">{line && visible(line.text.replaceAll("\n", " "))}</span>
    </Link>
  );
}

/** The last position that the list shows: the head, but while somebody reads further down nothing is put before it. */
function useSeen(head: number, selected: number | undefined) {
  const [isAtTop, setAtTop] = useState(selected === undefined);
  const [kept, setKept] = useState(head);
  const [top, setTop] = useState(0);
  if (isAtTop && kept !== head) setKept(head);
  return {
    seen: isAtTop ? head : kept,
    onEdges: (isAtStart: boolean) => setAtTop(isAtStart),
    /** Changes when the list is to begin at its top again. */
    top,
    toTop() {
      setAtTop(true);
      setTop(top + 1);
    },
  };
}

function indexOf(
  lines: { readonly count: number; positionAt(index: number): number | undefined },
  position: number,
  last: number | undefined,
): number {
  if (last !== undefined) return position >= 1 && position <= last ? last - position : -1;
  for (let index = 0; index < lines.count; index++) if (lines.positionAt(index) === position) return index;
  return -1;
}

function neighbour(position: number, head: number): number | undefined {
  return position >= 1 && position <= head ? position : undefined;
}

function positionIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
