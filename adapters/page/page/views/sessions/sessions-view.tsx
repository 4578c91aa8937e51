import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnswerOf } from "../../../server/answers/index.ts";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { clockLength, counted, dollars } from "../../core.ts";
import { isFiltered } from "../../filter.ts";
import { useKeys } from "../../keys.ts";
import { Chip, Choice, FilterBar } from "../../parts/chips.tsx";
import { GettingStarted } from "../../parts/getting-started.tsx";
import { InvalidAddress } from "../../parts/invalid-address.tsx";
import { NoMatches } from "../../parts/no-matches.tsx";
import { axisFor, stepsOf } from "../../parts/phase-segments.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { selectSession } from "../../parts/select-session.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { useNow } from "../../parts/time.tsx";
import { Windowed } from "../../parts/windowed.tsx";
import { millisecondsOf } from "../../parts/zone.ts";
import { SessionRow } from "./row.tsx";
import { filterInWords, outcomes, type SessionFilter, sessionFilter } from "./session-filter.ts";
import { useSessionLines } from "./session-lines.ts";
import { SessionPane } from "./session-pane.tsx";
import "./sessions.css";

/** All sessions, running ones first, beside the selected one. */
export function SessionsView() {
  const address = useAddress();
  const { filter, wrong } = sessionFilter.read(address);
  const selected = address.get("session");
  return (
    <>
      <h1 class="hidden-but-read">Sessions</h1>
      <div class="panes">
        <section class="sessions-main" aria-label="Sessions">
          {wrong === undefined ? (
            <Sessions filter={filter} />
          ) : (
            <>
              <SessionFilters filter={filter} />
              <InvalidAddress clear={sessionFilter.none}>{wrong}</InvalidAddress>
            </>
          )}
        </section>
        {selected !== undefined && <SessionPane key={selected} session={selected} />}
      </div>
    </>
  );
}

function Sessions({ filter }: { readonly filter: SessionFilter }) {
  const shown = useSessionLines(filter);
  const { answer: totals, error, isOld } = useAnswer("session_totals", filter);
  if (error && !totals) return <Fault error={error} />;
  return (
    <>
      <SessionFilters filter={filter} />
      {totals ? (
        <List filter={filter} totals={totals} isOld={isOld} shown={shown} />
      ) : (
        <Loading what="the sessions" />
      )}
    </>
  );
}

interface ListProps {
  readonly filter: SessionFilter;
  readonly totals: AnswerOf<"session_totals">;
  /** True while the totals are of the previous query. */
  readonly isOld: boolean;
  readonly shown: ReturnType<typeof useSessionLines>;
}

function List({ filter, totals, isOld, shown }: ListProps) {
  const { at, go, get } = useAddress();
  const { lines, isOld: areOld, error, see } = shown;
  const keyOf = useCallback((index: number) => lines.get(index)?.session ?? index, [lines]);
  const [width, setWidth] = useState(0);
  const now = useNow(at === undefined ? undefined : millisecondsOf(totals.now));
  const selected = get("session");
  const { answer: index } = useAnswer(
    "session_index",
    { ...filter, session: selected ?? "" },
    { enabled: selected !== undefined },
  );
  const loaded = [...lines].find(([, { session }]) => session === selected)?.[0];
  const place = loaded ?? (selected === undefined ? undefined : (index ?? undefined));
  const choose = (index: number) => {
    const line = lines.get(index);
    if (line) go(selectSession(line.session), { replace: true });
  };
  useKeys("Sessions", [
    { key: "j", does: "next session", run: () => choose(place === undefined ? 0 : place + 1) },
    { key: "k", does: "previous session", run: () => choose(place === undefined ? 0 : place - 1) },
  ]);
  const drawn = [...lines.values()].map((line) => {
    const end = line.completed_at === null ? now : millisecondsOf(line.completed_at);
    return { line, end, steps: stepsOf(line.phases, end) };
  });
  const rows = new Map(drawn.map((one) => [one.line.session, one]));
  const axis = axisFor(lengthOf(totals.long, now));
  if (error instanceof Error && lines.size === 0) return <Fault error={error} />;
  if (totals.sessions === 0 && !isOld) return <NoSessions filter={filter} />;
  return (
    <div class={`sessions-list ${isOld || areOld ? "is-old" : ""}`}>
      <p class="sessions-sum muted" role="status">
        {sumInWords(totals)}
      </p>
      <TimeAxis axis={axis} onWidth={setWidth} />
      <Windowed
        label="Sessions, running ones first"
        count={totals.sessions}
        rowHeight={44}
        show={place}
        align="auto"
        keyOf={keyOf}
        onWindow={see}
        row={(index) => {
          const line = lines.get(index);
          const row = line && rows.get(line.session);
          return row ? (
            <SessionRow {...row} axis={axis} width={width} isSelected={row.line.session === selected} />
          ) : (
            <div class="session-row" />
          );
        }}
      />
    </div>
  );
}

function NoSessions({ filter }: { readonly filter: SessionFilter }) {
  const words = filterInWords(filter);
  return words === "" ? (
    <GettingStarted what="No sessions yet" />
  ) : (
    <NoMatches clear={sessionFilter.none}>No sessions match: {words}.</NoMatches>
  );
}

/** In milliseconds; a running session lasts until now. */
function lengthOf(session: AnswerOf<"session_totals">["long"], now: number): number {
  if (!session) return 0;
  const { started_at, completed_at } = session;
  return (completed_at === null ? now : millisecondsOf(completed_at)) - millisecondsOf(started_at);
}

function sumInWords({ sessions, running, cost_micro_usd, unknown }: AnswerOf<"session_totals">): string {
  const leftOut = unknown > 0 ? ` (unknown for ${counted(unknown, "session")})` : "";
  return [
    counted(sessions, "session"),
    `${running.toLocaleString("en")} running`,
    cost_micro_usd === null ? "cost unknown" : `${dollars(cost_micro_usd)} total${leftOut}`,
  ].join(" · ");
}

/** The column headings, with the axis that all bars share: time since the session's start. */
function TimeAxis({ axis, onWidth }: { readonly axis: number; onWidth(pixels: number): void }) {
  const cell = useRef<HTMLSpanElement>(null);
  const tell = useRef(onWidth);
  tell.current = onWidth;
  useLayoutEffect(() => {
    const element = cell.current;
    if (!element) return;
    const observer = new ResizeObserver(() => tell.current(element.clientWidth));
    observer.observe(element);
    tell.current(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="session-row session-head muted" aria-hidden="true">
      <span class="session-phase">Phase</span>
      <span class="session-time">Time</span>
      <span class="session-task">Task</span>
      <span class="session-bar" ref={cell}>
        <span>0</span>
        <span>{clockLength(axis / 2)}</span>
        <span>{clockLength(axis)}</span>
      </span>
      <span class="session-loops">⇄</span>
      <span class="session-marks">!</span>
      <span class="session-cost">Cost</span>
      <span class="session-turns">Turns</span>
      <span class="session-said">Last signal</span>
    </div>
  );
}

/** The filters of the sessions. */
function SessionFilters({ filter }: { readonly filter: SessionFilter }) {
  const { go } = useAddress();
  const whether = [
    { name: "all", running: undefined },
    { name: "running", running: "yes" },
    { name: "ended", running: "no" },
  ] as const;
  return (
    <FilterBar view="Sessions" clear={isFiltered(filter) ? sessionFilter.none : undefined}>
      <fieldset class="chip-group">
        <legend class="hidden-but-read">Running or ended</legend>
        {whether.map(({ name, running }) => (
          <Chip key={name} isChosen={filter.running === running} onChoose={() => go({ running })}>
            {name}
          </Chip>
        ))}
      </fieldset>
      <Choice name="outcome" label="Outcome" value={filter.outcome} choices={outcomes} any="any outcome" />
      <SearchField name="task" label="Task" value={String(filter.task ?? "")} isNumber />
    </FilterBar>
  );
}
