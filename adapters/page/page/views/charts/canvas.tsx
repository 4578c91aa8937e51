import { useEffect, useRef } from "preact/hooks";
import { shownTheme } from "../../shell/theme.ts";
import { useStore } from "../../store.ts";
import { type ChartAnswer, type ChartSpec, numberIn, type Series } from "./chart-specs.ts";
import type { Plot } from "./plot.ts";

interface CanvasProps {
  readonly spec: ChartSpec;
  readonly answer: ChartAnswer;
  onHover(index: number | undefined): void;
  onPick(index: number): void;
}

/** A chart as an image. The table is its accessible alternative, with links to the same positions. */
export function Canvas({ spec, answer, onHover, onPick }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const hand = useRef({ onHover, onPick });
  hand.current = { onHover, onPick };
  const shown = useStore(shownTheme);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let drawn: Plot | undefined;
    let isGone = false;
    void import("./plot.ts").then(({ plot }) => {
      if (isGone) return;
      drawn = plot(element, dataOf(spec, answer), {
        onHover: (index) => hand.current.onHover(index),
        onPick: (index) => hand.current.onPick(index),
      });
    });
    const observer = new ResizeObserver(() => drawn?.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      isGone = true;
      observer.disconnect();
      drawn?.destroy();
    };
  }, [spec, answer, shown]);
  return (
    <div
      ref={place}
      class="chart-place"
      role="img"
      aria-label={`${spec.title}. Choose “Show table” for the numbers.`}
    />
  );
}

function dataOf(spec: ChartSpec, { from, to, days, rows, zone }: ChartAnswer) {
  const valuesOf = ({ key, color }: Series) => ({ color, values: rows.map((row) => numberIn(row, key)) });
  const [first] = spec.series;
  const { line } = spec;
  return {
    from: from / 1_000,
    to: to / 1_000,
    days: [...days.map(({ start }) => start / 1_000), (days.at(-1)?.end ?? to) / 1_000],
    stacked: spec.series.map(valuesOf),
    line: line && valuesOf(line),
    shape: spec.shape,
    utc: zone === "UTC",
    axisSteps: first?.axis?.steps,
    axisValue: (value: number) => first?.axis?.show(value) ?? value.toLocaleString("en"),
    lineValue: (value: number) => line?.show?.(value) ?? value.toLocaleString("en"),
  };
}
