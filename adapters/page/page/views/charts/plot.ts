import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** Series of numbers over time. Times are seconds since 1970. */
export interface PlotData {
  readonly from: number;
  readonly to: number;
  /** The start of each day, and the end of the last one. */
  readonly days: readonly number[];
  /** Stacked, from the bottom up. */
  readonly stacked: readonly PlotSeries[];
  readonly line: PlotSeries | undefined;
  readonly shape: "areas" | "bars";
  readonly utc: boolean;
  /** The allowed steps of the left axis; absent: decimal ones. */
  readonly axisSteps: readonly number[] | undefined;
  /** Formats a value of the left axis. */
  axisValue(value: number): string;
  lineValue(value: number): string;
}

export interface PlotSeries {
  readonly color: string;
  readonly values: readonly (number | null)[];
}

export interface Plot {
  resize(width: number): void;
  destroy(): void;
}

interface Hand {
  /** Called with the index of the day under the pointer; undefined outside. */
  onHover(index: number | undefined): void;
  onPick(index: number): void;
}

const HEIGHT = 220;

/** Draws into an element. This file, with the chart library, is loaded with the first chart. */
export function plot(place: HTMLElement, data: PlotData, { onHover, onPick }: Hand): Plot {
  const look = getComputedStyle(place);
  const color = (token: string) => look.getPropertyValue(token).trim();
  const { days } = data;
  const dayUnder = (chart: uPlot) => {
    const left = chart.cursor.left ?? -1;
    const time = left < 0 ? Number.NaN : chart.posToVal(left, "x");
    const index = days.findLastIndex((start) => start <= time);
    return index >= 0 && index < days.length - 1 ? index : undefined;
  };
  const paths = pathsOf(data.shape);
  const stroke = { stroke: color("--muted"), font: "12px system-ui", ticks: { show: false } };
  const grid = { stroke: color("--border"), width: 1 };
  const sums = stack(data.stacked).reverse();
  const formatDay = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(data.utc && { timeZone: "UTC" }),
  });
  const chart = new uPlot(
    {
      width: Math.max(200, place.clientWidth),
      height: HEIGHT,
      legend: { show: false },
      cursor: { points: { show: false }, drag: { x: false, y: false }, y: false },
      tzDate: (time) => (data.utc ? uPlot.tzDate(new Date(time * 1_000), "Etc/UTC") : new Date(time * 1_000)),
      scales: {
        x: { time: true, range: [data.from, data.to] },
        y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] },
        line: { range: (_, __, most) => [0, Math.max(0.05, (most ?? 0) * 1.05)] },
      },
      axes: [
        {
          ...stroke,
          grid: { show: false },
          size: 28,
          incrs: [1, 2, 7, 14, 30, 60].map((each) => each * 86_400),
          space: 64,
          values: (_, times) => times.map((time) => formatDay.format(time * 1_000)),
        },
        {
          ...stroke,
          grid,
          size: 52,
          values: (_, values) => values.map(data.axisValue),
          ...(data.axisSteps && { incrs: [...data.axisSteps] }),
        },
        ...(data.line
          ? [
              {
                ...stroke,
                scale: "line",
                side: 1 as const,
                grid: { show: false },
                size: 56,
                values: (_: uPlot, values: number[]) => values.map(data.lineValue),
              },
            ]
          : []),
      ],
      series: [
        {},
        ...sums.map((one) => ({
          stroke: color("--ground"),
          width: 1,
          fill: color(one.color),
          points: { show: false },
          ...(paths && { paths }),
        })),
        ...(data.line
          ? [
              {
                scale: "line",
                stroke: color(data.line.color),
                width: 2,
                points: { show: true, size: 6, fill: color(data.line.color) },
                paths: uPlot.paths.stepped?.({ align: 1 }) ?? (() => null),
              },
            ]
          : []),
      ],
      hooks: {
        setCursor: [(self) => onHover(dayUnder(self))],
        drawClear: [(self) => drawNoData(self, days[0], color("--sunken"), color("--muted"))],
        ready: [
          (self) => {
            self.over.addEventListener("click", () => {
              const index = dayUnder(self);
              if (index !== undefined) onPick(index);
            });
          },
        ],
      },
    },
    [
      [...days],
      ...sums.map(({ values }) => lengthen(values, data.shape)),
      ...(data.line ? [lengthen(data.line.values, "areas")] : []),
    ],
    place,
  );
  return {
    resize: (width) => chart.setSize({ width: Math.max(200, width), height: HEIGHT }),
    destroy: () => chart.destroy(),
  };
}

/** No interpolation between days: a value holds for its whole day. */
function pathsOf(shape: PlotData["shape"]): uPlot.Series.PathBuilder | undefined {
  return shape === "areas"
    ? uPlot.paths.stepped?.({ align: 1 })
    : uPlot.paths.bars?.({ align: 1, size: [0.86, 60] });
}

/** Adds each series to those below it. */
function stack(series: readonly PlotSeries[]): PlotSeries[] {
  let below: readonly (number | null)[] = [];
  return series.map(({ color, values }) => {
    below = values.map((value, index) => (value ?? 0) + (below[index] ?? 0));
    return { color, values: below };
  });
}

/** Adds a value for the end of the last day: areas extend to it, bars have none there. */
function lengthen(values: readonly (number | null)[], shape: PlotData["shape"]): (number | null)[] {
  return [...values, shape === "areas" ? (values.at(-1) ?? null) : null];
}

/** Marks the time before the first event as “no data”, which is not 0. */
function drawNoData(chart: uPlot, first: number | undefined, ground: string, text: string): void {
  const { ctx, bbox } = chart;
  const until = first === undefined ? bbox.left + bbox.width : chart.valToPos(first, "x", true);
  const width = Math.min(until, bbox.left + bbox.width) - bbox.left;
  if (width <= 1) return;
  ctx.save();
  ctx.fillStyle = ground;
  ctx.fillRect(bbox.left, bbox.top, width, bbox.height);
  ctx.fillStyle = text;
  ctx.font = `${12 * devicePixelRatio}px system-ui`;
  ctx.textAlign = "center";
  if (width > 70 * devicePixelRatio)
    ctx.fillText("no data", bbox.left + width / 2, bbox.top + bbox.height / 2);
  ctx.restore();
}
