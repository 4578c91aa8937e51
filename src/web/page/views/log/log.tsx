import { useState } from "preact/hooks";
import { positionIn, useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { isFiltered, noFilter } from "../../filter.ts";
import { useKeys } from "../../keys.ts";
import { GettingStarted } from "../../parts/getting-started.tsx";
import { InvalidAddress, notNumberError } from "../../parts/invalid-address.tsx";
import { NoMatches } from "../../parts/no-matches.tsx";
import { Fault, Loading } from "../../parts/states.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { useTimeTravel } from "../../shell/time-travel.ts";
import { useAllLines } from "./all-lines.ts";
import { EventPane } from "./event-pane.tsx";
import { familyOf, type LogFilter, logFilter } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { useFoundLines } from "./found-lines.ts";
import type { Lines } from "./lines.ts";
import { LogRow } from "./row.tsx";
import { useTitles } from "./titles.ts";
import "./log.css";

/** All events, the newest first, beside the selected one. */
export function LogView() {
  const { get } = useAddress();
  const { answer: overview, position: last = 0, error } = useAnswer("overview", {});
  if (error) return <Fault error={error} />;
  if (!overview) return <Loading what="the log" />;
  if (last === 0) return <GettingStarted what="No events yet" />;
  const event = notNumberError("an event position", get("event"));
  if (event !== undefined) return <InvalidAddress clear={{ event: undefined }}>{event}</InvalidAddress>;
  return <Log last={last} />;
}

/** @param last the last position at the shown moment */
function Log({ last }: { readonly last: number }) {
  const address = useAddress();
  const { filter, wrong: wrongFilter } = logFilter.read(address);
  const { answer: types } = useAnswer("event_types", {}, { at: undefined });
  const isKnown = filter.type === undefined || types !== undefined;
  const wrong = wrongFilter ?? wrongType(filter, types);
  const { at } = address;
  const isAll = !isFiltered(filter);
  const selected = positionIn(address.get("event"));
  const [shown, setShown] = useState<readonly [number, number]>([0, 0]);
  const { seen, onEdges, toTop, top } = useSeen(last, selected);
  const all = useAllLines(isAll, { last, seen, shown });
  const found = useFoundLines(!isAll && isKnown && wrong === undefined, { filter, last, seen, shown, at });
  const lines = isAll ? all : found;
  const titles = useTitles(lines, shown);
  const isNothing = !isAll && lines.isRead && lines.count === 0;
  const index = selected === undefined ? -1 : indexOf(lines, selected, isAll);
  useLogKeys(lines, index);
  return (
    <div class="log">
      <h1 class="hidden-but-read">Log</h1>
      <Filters types={types ?? []}>{wrong === undefined && <Download filter={filter} last={last} />}</Filters>
      <div class="panes">
        <div class="log-list">
          {wrong !== undefined && <InvalidAddress clear={logFilter.none}>{wrong}</InvalidAddress>}
          {lines.error && <Fault error={lines.error} />}
          {isNothing && <NoMatches clear={logFilter.none}>No events match these filters.</NoMatches>}
          {!isAll && !isNothing && wrong === undefined && (
            <p class="muted log-found" role="status">
              {lines.searchedTo === undefined
                ? `${lines.count.toLocaleString("en")} found`
                : `${lines.count.toLocaleString("en")} found so far, back to #${lines.searchedTo.toLocaleString("en")}`}
            </p>
          )}
          <Windowed
            key={JSON.stringify([filter, at, top])}
            label="Events, newest first"
            count={wrong === undefined ? lines.count : 0}
            rowHeight={32}
            align="auto"
            show={index < 0 ? undefined : index}
            keyOf={(nth) => lines.positionAt(nth) ?? nth}
            onWindow={(first, last) => setShown([first, last])}
            onEdges={onEdges}
            row={(nth) => {
              const position = lines.positionAt(nth);
              return position === undefined ? null : (
                <LogRow
                  position={position}
                  line={lines.lineAt(nth)}
                  titles={titles}
                  isSelected={position === selected}
                />
              );
            }}
          />
          <Unseen count={lines.unseen} where="↑" onGo={toTop} />
        </div>
        {selected !== undefined && (
          <EventPane
            position={selected}
            last={last}
            older={index < 0 ? neighbour(selected - 1, last) : lines.positionAt(index + 1) || undefined}
            newer={index < 0 ? neighbour(selected + 1, last) : newerThan(selected, index)}
          />
        )}
      </div>
    </div>
  );

  /** Without a filter, also an event that is not in the list yet. */
  function newerThan(position: number, nth: number): number | undefined {
    return isAll ? neighbour(position + 1, last) : nth > 0 ? lines.positionAt(nth - 1) : undefined;
  }
}

/** The error for an unknown type; undefined until the types are loaded. */
function wrongType({ type }: LogFilter, types: readonly string[] | undefined): string | undefined {
  if (type === undefined || types?.some((one) => one === type || familyOf(one) === type) !== false)
    return undefined;
  return noFilter("type", type, "there is no such event type");
}

/** Downloads the matching events, within the range that the time bar is zoomed to. */
function Download({ filter, last }: { readonly filter: LogFilter; readonly last: number }) {
  const { from, to, isZoomed } = useTimeTravel();
  const range = isZoomed ? { from: from + 1, to: Math.min(to, last) } : { from: 1, to: last };
  const given = Object.entries({ ...filter, ...range }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return (
    <a class="button" href={`/api/log.jsonl?${query}`} download>
      Download{isZoomed && " the range"} as JSONL
    </a>
  );
}

/** `j` and `k` move through the list. */
function useLogKeys(lines: Lines, index: number): void {
  const { go } = useAddress();
  const choose = (nth: number) => {
    const position = lines.positionAt(Math.max(0, nth));
    if (position !== undefined && nth < lines.count) go({ event: position }, { replace: true });
  };
  useKeys("Log", [
    { key: "j", does: "next event", run: () => choose(index + 1) },
    { key: "k", does: "previous event", run: () => choose(index - 1) },
  ]);
}

/** The last position in the list. It stands still while the reader has scrolled down. */
function useSeen(last: number, selected: number | undefined) {
  const [isAtTop, setAtTop] = useState(selected === undefined);
  const [kept, setKept] = useState(last);
  const [top, setTop] = useState(0);
  if (isAtTop && kept !== last) setKept(last);
  return {
    seen: isAtTop ? last : kept,
    onEdges: (isAtStart: boolean) => setAtTop(isAtStart),
    /** Changes when the list must scroll to its top. */
    top,
    toTop() {
      setAtTop(true);
      setTop(top + 1);
    },
  };
}

function indexOf(lines: Lines, position: number, isAll: boolean): number {
  if (isAll) return position >= 1 && position <= lines.count ? lines.count - position : -1;
  for (let index = 0; index < lines.count; index++) if (lines.positionAt(index) === position) return index;
  return -1;
}

function neighbour(position: number, last: number): number | undefined {
  return position >= 1 && position <= last ? position : undefined;
}
