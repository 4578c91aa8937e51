import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { Begin, useHasNoTask } from "../../parts/begin.tsx";
import { zone } from "../../parts/zone.ts";
import { useStore } from "../../store.ts";
import { ChartFigure } from "./chart.tsx";
import { chartSpecs } from "./chart-specs.ts";
import { StuckCounts } from "./stuck-counts.tsx";
import "./charts.css";

const WINDOWS = [7, 30, 90, 366];
const DEFAULT_DAYS = 30;

/** How work went in the last days, by the day. */
export function ChartsView() {
  return useHasNoTask() ? <Begin what="There is nothing to count yet" /> : <Charts />;
}

function Charts() {
  const { get, with: to } = useAddress();
  const chosen = useStore(zone);
  const asked = get("days");
  const days = asked === undefined ? DEFAULT_DAYS : /^\d{1,3}$/.test(asked) ? Number(asked) : 0;
  const query = { days, zone: chosen === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone };
  return (
    <div class="charts scroll">
      <h1 class="hidden-but-read">Charts</h1>
      <nav aria-label="How many days">
        <ul>
          {WINDOWS.map((each) => (
            <li key={each}>
              <Link href={to({ days: each })} aria-current={each === days ? "true" : undefined}>
                {each} days
              </Link>
            </li>
          ))}
        </ul>
        <span class="muted">days in {query.zone}</span>
      </nav>
      {days < 1 || days > 366 ? (
        <p class="state" role="alert">
          "{asked}" is no number of days from 1 to 366.{" "}
          <Link href={to({ days: undefined })}>Show 30 days</Link>
        </p>
      ) : (
        <div class="charts-grid">
          {chartSpecs.map((spec) => (
            <ChartFigure key={spec.name} spec={spec} query={query}>
              {spec.name === "closings" && <StuckCounts query={query} />}
            </ChartFigure>
          ))}
        </div>
      )}
    </div>
  );
}
