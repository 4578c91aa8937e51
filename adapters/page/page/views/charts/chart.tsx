import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { useAnswer } from "../../answers.ts";
import { csvLines, dayInWords } from "../../core.ts";
import { Fault, Loading } from "../../parts/states.tsx";
import { Canvas } from "./canvas.tsx";
import { type ChartAnswer, type ChartSpec, columnsOf, numberIn, type Series, shown } from "./chart-specs.ts";
import { HowCounted } from "./how-counted.tsx";
import { useOpened } from "./opened.ts";

export interface WindowQuery {
  readonly days: number;
  readonly zone: string;
  /** The last day, such as `2026-02-11`; undefined for today. */
  readonly until: string | undefined;
}

interface ChartFigureProps {
  readonly spec: ChartSpec;
  readonly query: WindowQuery;
  readonly children?: ComponentChildren;
}

/** A chart, with its numbers as a table and as CSV, and the SQL behind them. */
export function ChartFigure({ spec, query, children }: ChartFigureProps) {
  const { answer, error, isOld } = useAnswer("chart", { chart: spec.name, ...query });
  const [isTable, toggleTable] = useOpened("table", spec.name);
  const [isHow, toggleHow] = useOpened("how", spec.name);
  return (
    <section class={`chart ${isOld ? "is-old" : ""}`} aria-label={spec.title}>
      <header>
        <h2>{spec.title}</h2>
        <button type="button" aria-pressed={isTable} onClick={toggleTable}>
          Show table
        </button>
        <button type="button" disabled={!answer} onClick={() => answer && save(spec, answer)}>
          Download CSV
        </button>
        <button type="button" aria-expanded={isHow} onClick={toggleHow}>
          How is this counted?
        </button>
      </header>
      {error && !answer && <Fault error={error} />}
      {!error && !answer && (
        <>
          <div class="chart-place">
            <Loading what="the chart" />
          </div>
          <p class="chart-day muted">…</p>
          <Legend spec={spec} row={undefined} />
        </>
      )}
      {answer &&
        (isTable ? <ChartTable spec={spec} answer={answer} /> : <Drawn spec={spec} answer={answer} />)}
      {answer && isHow && <HowCounted words={spec.counted} sql={answer.sql} />}
      {children}
    </section>
  );
}

/** The image, and its legend with the values of the day under the pointer or the last day. */
function Drawn({ spec, answer }: { readonly spec: ChartSpec; readonly answer: ChartAnswer }) {
  const { go } = useAddress();
  const [hovered, setHovered] = useState<number>();
  const index = hovered ?? answer.days.length - 1;
  const row = answer.rows[index];
  const day = answer.days[index]?.day;
  return (
    <>
      <Canvas
        spec={spec}
        answer={answer}
        onHover={setHovered}
        onPick={(picked) => go({ at: answer.days[picked]?.upto })}
      />
      <p class="chart-day muted">
        {day === undefined ? "no data" : dayInWords(day)}
        {hovered === undefined ? "" : " · click to view the project at the end of that day"}
      </p>
      <Legend spec={spec} row={row} />
    </>
  );
}

/** The series with their colours and their values of a day; without a row a placeholder. */
function Legend({
  spec,
  row,
}: {
  readonly spec: ChartSpec;
  readonly row: ChartAnswer["rows"][number] | undefined;
}) {
  const series = [...spec.series, ...(spec.line ? [spec.line] : [])];
  return (
    <ul class="chart-legend">
      {series.map((one) => (
        <li key={one.key}>
          <span class="chart-symbol" style={{ background: `var(${one.color})` }} aria-hidden="true">
            {one.symbol}
          </span>
          {one.word} <b>{shown(numberIn(row, one.key), one)}</b>
          {one === spec.line && leftOut(spec, row)}
        </li>
      ))}
    </ul>
  );
}

/** What the line's value does not include. */
function leftOut({ more = [] }: ChartSpec, row: ChartAnswer["rows"][number] | undefined): string {
  const without = more.filter(({ key }) => (numberIn(row, key) ?? 0) > 0);
  return without.map((column) => ` (${column.word}: ${shown(numberIn(row, column.key), column)})`).join("");
}

/** Downloads the numbers as CSV; unknown values are empty. */
function save(spec: ChartSpec, { rows }: ChartAnswer): void {
  const keys = columnsOf(spec).map(({ key }) => key);
  const lines = csvLines([
    ["day", ...keys],
    ...rows.map((row) => [String(row.day), ...keys.map((key) => numberIn(row, key))]),
  ]);
  const address = URL.createObjectURL(new Blob([lines], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `signalbox-${spec.name}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}

export function ColumnHeads({ columns }: { readonly columns: readonly Pick<Series, "key" | "word">[] }) {
  return (
    <>
      {columns.map(({ key, word }) => (
        <th key={key} scope="col">
          {word}
        </th>
      ))}
    </>
  );
}

/** The numbers of a chart, the last day first; each day links to the position at its end. */
function ChartTable({ spec, answer }: { readonly spec: ChartSpec; readonly answer: ChartAnswer }) {
  const { with: to } = useAddress();
  const columns = columnsOf(spec);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll
    <section class="chart-table scroll" tabIndex={0} aria-label={`${spec.title}: table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">day</th>
            <ColumnHeads columns={columns} />
          </tr>
        </thead>
        <tbody>
          {answer.days
            .map(({ day, upto }, index) => (
              <tr key={day}>
                <th scope="row">
                  <Link href={to({ at: upto })} title={`View the project at the end of this day (#${upto})`}>
                    {dayInWords(day)}
                  </Link>
                </th>
                {columns.map((column) => (
                  <td key={column.key}>{shown(numberIn(answer.rows[index], column.key), column)}</td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
      {answer.days.length === 0 && <p class="muted">No data</p>}
    </section>
  );
}
