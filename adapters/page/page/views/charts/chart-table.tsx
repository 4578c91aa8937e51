import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { dayInWords } from "../../core.ts";
import { type ChartAnswer, type ChartSpec, columnsOf, numberIn, shown } from "./chart-specs.ts";

/** The numbers of a chart, the last day first; each day links to the position at its end. */
export function ChartTable({ spec, answer }: { readonly spec: ChartSpec; readonly answer: ChartAnswer }) {
  const { with: to } = useAddress();
  const columns = columnsOf(spec);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll
    <section class="chart-table scroll" tabIndex={0} aria-label={`${spec.title}: table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">day</th>
            {columns.map(({ key, word }) => (
              <th key={key} scope="col">
                {word}
              </th>
            ))}
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
