import { useCallback, useState } from "preact/hooks";
import { positionIn, useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { isFiltered, noFilter } from "../../filter.ts";
import { useKeys } from "../../keys.ts";
import { GettingStarted } from "../../parts/getting-started.tsx";
import { InvalidAddress, notNumberError } from "../../parts/invalid-address.tsx";
import { NoMatches } from "../../parts/no-matches.tsx";
import { Fault, Unanswered } from "../../parts/states.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { useTimeTravel } from "../../shell/time-travel.ts";
import { useAllLines } from "./all-lines.ts";
import { EventPane } from "./event-pane.tsx";
import { familyOf, type LogFilter, logFilter, type Order, partsOf, typesOf, type Wanted } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { useFoundLines } from "./found-lines.ts";
import type { Lines } from "./lines.ts";
import { ORDER_WORDS, RangeFilters } from "./range-filters.tsx";
import { LogRow } from "./row.tsx";
import { type Range, useRange } from "./use-range.ts";
import "./log.css";

/** All events beside the selected one. */
export function LogView() {
  const { get } = useAddress();
  const { answer: overview, position: last = 0, error } = useAnswer("overview", {});
  if (error || !overview) return <Unanswered view="Log" what="the log" error={error} />;
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
  const { wanted, bounds, order } = partsOf(filter);
  const { isBounded, range, wrong: wrongBounds, error: rangeError } = useRange(bounds);
  const isKnown = (filter.type === undefined || types !== undefined) && range !== undefined;
  const wrong = wrongFilter ?? wrongType(filter, types);
  const { at } = address;
  const isAll = !isBounded && !isFiltered(wanted);
  const selected = positionIn(address.get("event"));
  const [shown, setShown] = useState<readonly [number, number]>([0, 0]);
  const { seen, onEdges, toTop, top } = useSeen(last, selected, order);
  const all = useAllLines(isAll, { last, seen, shown, order });
  const found = useFoundLines(!isAll && isKnown && wrong === undefined, {
    wanted,
    order,
    range: range ?? { from: 1, to: 0 },
    last,
    seen,
    shown,
    at,
  });
  const lines = isAll ? all : found;
  const { positionAt } = lines;
  const keyOf = useCallback((nth: number) => positionAt(nth) ?? nth, [positionAt]);
  const titles = useTitles(lines, shown);
  const isNothing = !isAll && range !== undefined && lines.isRead && lines.count === 0;
  const index = selected === undefined ? -1 : indexOf(lines, selected, isAll, order);
  useLogKeys(lines, index);
  return (
    <div class="log">
      <h1 class="hidden-but-read">Log</h1>
      <Filters types={types ?? []}>
        {wrong === undefined && range && <Download wanted={wanted} range={range} last={last} />}
      </Filters>
      <RangeFilters wrong={wrongBounds} />
      <div class="panes">
        <div class="log-list">
          {wrong !== undefined && <InvalidAddress clear={logFilter.none}>{wrong}</InvalidAddress>}
          {(lines.error ?? rangeError) && <Fault error={(lines.error ?? rangeError) as Error} />}
          {isNothing && <NoMatches clear={logFilter.none}>No events match these filters.</NoMatches>}
          {!isAll && !isNothing && wrong === undefined && range && (
            <p class="muted log-found" role="status">
              {lines.searchedTo === undefined
                ? `${lines.count.toLocaleString("en")} found`
                : `${lines.count.toLocaleString("en")} found so far, ${order === "newest_first" ? "back " : ""}to #${lines.searchedTo.toLocaleString("en")}`}
            </p>
          )}
          <Windowed
            key={JSON.stringify([filter, at, top])}
            label={`Events, ${ORDER_WORDS[order]}`}
            count={wrong === undefined && range ? lines.count : 0}
            rowHeight={32}
            align="auto"
            show={index < 0 ? undefined : index}
            keyOf={keyOf}
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
            older={beside(selected, index, -1)}
            newer={beside(selected, index, 1)}
          />
        )}
      </div>
    </div>
  );

  /** Without a filter, also an event that is not in the list yet. @param step 1 to the newer one, -1 to the older */
  function beside(position: number, nth: number, step: 1 | -1): number | undefined {
    if (isAll || nth < 0) return neighbour(position + step, last);
    const next = order === "newest_first" ? nth - step : nth + step;
    return next >= 0 && next < lines.count ? lines.positionAt(next) : undefined;
  }
}

/** The error for an unknown type; undefined until the types are loaded. */
function wrongType(filter: LogFilter, types: readonly string[] | undefined): string | undefined {
  const unknown = typesOf(filter).find(
    (name) => types?.some((one) => one === name || familyOf(one) === name) === false,
  );
  return unknown === undefined ? undefined : noFilter("type", unknown, "there is no such event type");
}

interface DownloadProps {
  readonly wanted: Wanted;
  readonly range: Range;
  readonly last: number;
}

/** Downloads the matching events, within the range that the time bar is zoomed to. */
function Download({ wanted, range: bounds, last }: DownloadProps) {
  const { from, to, isZoomed } = useTimeTravel();
  const zoomed = isZoomed ? { from: from + 1, to } : { from: 1, to: last };
  const range = {
    from: Math.max(zoomed.from, bounds.from),
    to: Math.min(zoomed.to, bounds.to, last),
  };
  const given = Object.entries({ ...wanted, ...range }).filter(([, value]) => value !== undefined);
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
function useSeen(last: number, selected: number | undefined, order: Order) {
  const [isAtTop, setAtTop] = useState(selected === undefined);
  const [kept, setKept] = useState(last);
  const [top, setTop] = useState(0);
  if (isAtTop && kept !== last) setKept(last);
  return {
    seen: isAtTop || order === "oldest_first" ? last : kept,
    onEdges: (isAtStart: boolean) => setAtTop(isAtStart),
    /** Changes when the list must scroll to its top. */
    top,
    toTop() {
      setAtTop(true);
      setTop(top + 1);
    },
  };
}

function indexOf(lines: Lines, position: number, isAll: boolean, order: Order): number {
  if (isAll && (position < 1 || position > lines.count)) return -1;
  if (isAll) return order === "newest_first" ? lines.count - position : position - 1;
  for (let index = 0; index < lines.count; index++) if (lines.positionAt(index) === position) return index;
  return -1;
}

function neighbour(position: number, last: number): number | undefined {
  return position >= 1 && position <= last ? position : undefined;
}

/** The titles of the tasks of the visible events, at the shown moment. @param shown the visible indexes */
function useTitles(lines: Lines, [first, last]: readonly [number, number]): ReadonlyMap<number, string> {
  const tasks = new Set<number>();
  for (let nth = first; nth <= last && tasks.size < LIMIT; nth++) {
    const task = lines.lineAt(nth)?.task ?? null;
    if (task !== null) tasks.add(task);
  }
  const asked = [...tasks].sort((one, other) => one - other).join(",");
  const { answer } = useAnswer("task_titles", { tasks: asked }, { enabled: asked !== "", isPassing: true });
  return new Map(answer?.map(({ id, title }) => [id, title]));
}

/** The server's limit. */
const LIMIT = 200;
