import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { counted, dayInWords } from "../../core.ts";
import { GettingStarted, useHasNoTask } from "../../parts/getting-started.tsx";
import { State } from "../../parts/states.tsx";
import { zone } from "../../parts/zone.ts";
import { useStore } from "../../store.ts";
import { ChartFigure, ColumnHeads, type WindowQuery } from "./chart.tsx";
import { chartSpecs, fates, numberIn, shown } from "./chart-specs.ts";
import { HowCounted } from "./how-counted.tsx";
import { useOpened } from "./opened.ts";
import "./charts.css";

const WINDOWS = [7, 30, 90, 366];
const DEFAULT_DAYS = 30;

/** Charts by day. */
export function ChartsView() {
  return useHasNoTask() ? <GettingStarted what="No data yet" /> : <Charts />;
}

function Charts() {
  const { get, with: to } = useAddress();
  const chosen = useStore(zone);
  const asked = get("days");
  const days = asked === undefined ? DEFAULT_DAYS : /^\d{1,3}$/.test(asked) ? Number(asked) : 0;
  const until = get("until");
  const query = {
    days,
    zone: chosen === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone,
    until,
  };
  const wrong =
    days < 1 || days > 366
      ? `"${asked}" is not a number of days from 1 to 366.`
      : until !== undefined && !isDay(until)
        ? `"${until}" is not a date. Use a date such as 2026-02-11.`
        : undefined;
  return (
    <div class="charts scroll">
      <h1 class="hidden-but-read">Charts</h1>
      <nav aria-label="Time range">
        <ul>
          {WINDOWS.map((each) => (
            <li key={each}>
              <Link href={to({ days: each })} aria-current={each === days ? "true" : undefined}>
                {each} days
              </Link>
            </li>
          ))}
        </ul>
        <span class="muted">Time zone: {query.zone}</span>
        {until !== undefined && (
          <span>
            up to {isDay(until) ? dayInWords(until) : until} ·{" "}
            <Link href={to({ until: undefined })}>Show up to today</Link>
          </span>
        )}
      </nav>
      {wrong === undefined && <Quiet query={query} />}
      {wrong !== undefined ? (
        <State look="fault" role="alert">
          {wrong} <Link href={to({ days: undefined, until: undefined })}>Show 30 days</Link>
        </State>
      ) : (
        <div class="charts-grid">
          {chartSpecs.map((spec) => (
            <ChartFigure key={spec.name} spec={spec} query={query}>
              {spec.name === "closings" && <StuckCounts query={query} />}
              {spec.name === "dones" && <DonesByAgent query={query} />}
            </ChartFigure>
          ))}
        </div>
      )}
    </div>
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** For a range without events: says so, and links to the last days with events. */
function Quiet({ query }: { readonly query: WindowQuery }) {
  const { with: to } = useAddress();
  // The same query as the chart of statuses, so it costs no further request.
  const { answer, isOld } = useAnswer("chart", { chart: "statuses", ...query });
  const [first, last] = [answer?.days[0], answer?.days.at(-1)];
  // An empty line keeps the place, so that nothing moves.
  if (!answer || isOld || answer.last_event === null || (first && first.after !== last?.upto))
    return <p class="charts-quiet" />;
  return (
    <p class="charts-quiet" role="status">
      No events in these {query.days} days; the last event was on {dayInWords(answer.last_event)}.{" "}
      <Link href={to({ until: answer.last_event })}>Show the days up to it</Link>
    </p>
  );
}

/** The current number of tasks per stuck count. */
function StuckCounts({ query }: { readonly query: WindowQuery }) {
  const { answer } = useAnswer("chart", { chart: "stuck", ...query });
  const { with: to } = useAddress();
  const [isHow, toggleHow] = useOpened("how", "stuck");
  if (!answer) return <p class="stuck-counts">Stuck now: …</p>;
  const counts = answer.rows.map((row) => {
    const [count, tasks] = [numberIn(row, "stuck_count") ?? 0, numberIn(row, "tasks") ?? 0];
    return `${counted(tasks, "task")} ${count === 1 ? "once" : `${count} times`}`;
  });
  return (
    <>
      <p class="stuck-counts">
        Stuck now: {counts.length === 0 ? "no tasks" : counts.join(" · ")}{" "}
        <button type="button" aria-expanded={isHow} onClick={toggleHow}>
          How are stuck tasks counted?
        </button>{" "}
        <Link href={to({}, "/policies")}>Policies</Link>
      </p>
      {isHow && (
        <HowCounted
          words="Stuck sessions of each task since it was last done or reset. A task fails at the policy stuck_limit."
          sql={answer.sql}
        />
      )}
    </>
  );
}

/** What became of the dones of the same days, for each agent and model. */
function DonesByAgent({ query }: { readonly query: WindowQuery }) {
  const { answer } = useAnswer("chart", { chart: "dones_by_agent", ...query });
  const [isHow] = useOpened("how", "dones");
  if (!answer) return <p class="muted">By agent and model: …</p>;
  if (answer.rows.length === 0) return <p class="muted">By agent and model: no session closed with done</p>;
  const columns = [{ key: "claimed", word: "done" }, ...fates];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll
    <section class="chart-table is-short scroll" tabIndex={0} aria-label="Done by agent and model">
      <table>
        <thead>
          <tr>
            <th scope="col">agent</th>
            <th scope="col">model</th>
            <ColumnHeads columns={columns} />
          </tr>
        </thead>
        <tbody>
          {answer.rows.map((row) => (
            <tr key={`${row.agent} ${row.model}`}>
              <th scope="row">{row.agent ?? "–"}</th>
              <td>{row.model ?? "–"}</td>
              {columns.map((column) => (
                <td key={column.key}>{shown(numberIn(row, column.key), column)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isHow && (
        <HowCounted
          words="The same by agent and model, as a driver and the client named them."
          sql={answer.sql}
        />
      )}
    </section>
  );
}
