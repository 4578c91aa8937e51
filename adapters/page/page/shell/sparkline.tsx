import { useRef, useState } from "preact/hooks";
import type { Bucket } from "../../server/answers/travel.ts";
import { useFixed } from "../answers.ts";
import { counted } from "../core.ts";
import { durationOf } from "../parts/time.tsx";
import type { TimeTravel } from "./time-travel.ts";

/** Event rate and marks above the slider. Dragging over a range zooms into it. */
export function Sparkline({ timeTravel }: { readonly timeTravel: TimeTravel }) {
  const { from, to, head, jump, zoom } = timeTravel;
  const drawn = useDrawnTo(to);
  const { answer: buckets } = useFixed("travel", { from, to: drawn }, head > 0 && drawn > from);
  const [hovered, setHovered] = useState<Bucket>();
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number }>();
  const positionAt = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    return from + Math.max(0, Math.min(1, (clientX - left) / width)) * (to - from);
  };
  const percent = (position: number) => `${(100 * (position - from)) / Math.max(1, to - from)}%`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the slider and the keys do the same
    <div
      ref={box}
      class="sparkline"
      title={hovered && wordsOf(hovered)}
      onPointerDown={(event) => {
        if (event.button !== 0 || head === 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const start = positionAt(event);
        setDrag({ start, end: start });
      }}
      onPointerMove={(event) => {
        const position = positionAt(event);
        setHovered(buckets?.find(({ last }) => position <= last));
        if (drag) setDrag({ ...drag, end: position });
      }}
      onPointerUp={() => {
        if (!drag) return;
        setDrag(undefined);
        const [first, last] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)];
        if (last - first > (to - from) * SMALLEST_DRAG) zoom(first, last);
        else jump(Math.max(1, Math.ceil(drag.end)));
      }}
      onPointerCancel={() => setDrag(undefined)}
      onDblClick={() => zoom(0, head)}
    >
      <Drawing buckets={buckets ?? []} from={from} to={to} />
      {drag && (
        <span
          class="dragged"
          style={{
            left: percent(Math.min(drag.start, drag.end)),
            right: `calc(100% - ${percent(Math.max(drag.start, drag.end))})`,
          }}
        />
      )}
    </div>
  );
}

/** As a share of the bar's width; a shorter drag counts as a click. */
const SMALLEST_DRAG = 0.01;

/** The end of the drawing; it follows the log in steps of 1 %, not with every event. */
function useDrawnTo(to: number): number {
  const drawn = useRef(0);
  if (to < drawn.current || to > drawn.current * 1.01) drawn.current = to;
  return drawn.current;
}

function Drawing({
  buckets,
  from,
  to,
}: {
  readonly buckets: readonly Bucket[];
  readonly from: number;
  readonly to: number;
}) {
  const rates = buckets.map(({ first, last, took_ms }) => (last - first + 1) / Math.max(took_ms, 1));
  const highest = Math.max(...rates, Number.MIN_VALUE);
  const lowest = Math.min(...rates, highest);
  return (
    <svg viewBox={`${from} 0 ${Math.max(1, to - from)} 24`} preserveAspectRatio="none" aria-hidden="true">
      {buckets.map(({ first, last, marks, idle }, nth) => {
        const width = last - first + 1;
        const height = 3 + 11 * heightOf(rates[nth] ?? 0, lowest, highest);
        return (
          <g key={first}>
            <rect class="all" x={first - 1} y="0" width={width} height="24" />
            <rect class="rate" x={first - 1} y={14 - height} width={width * 0.85} height={height} />
            {idle && <rect class="idle" x={first - 1} y="0" width={width} height="14" />}
            {marks.session && <rect class="mark session" x={first - 1} y="15" width={width} height="3" />}
            {marks.status && <rect class="mark status" x={first - 1} y="18" width={width} height="3" />}
            {marks.human && <rect class="mark human" x={first - 1} y="21" width={width} height="3" />}
          </g>
        );
      })}
    </svg>
  );
}

/** From 0 to 1 on a logarithmic scale: event rates differ by orders of magnitude. */
function heightOf(rate: number, lowest: number, highest: number): number {
  return highest === lowest ? 0.5 : Math.log(rate / lowest) / Math.log(highest / lowest);
}

function wordsOf({ first, last, took_ms, marks, idle }: Bucket): string {
  const parts = [
    first === last ? `#${first}` : `#${first} to #${last}, in ${durationOf(took_ms)}`,
    marks.session ? `${counted(marks.session, "session")} ended` : "",
    marks.status ? counted(marks.status, "status change") : "",
    marks.human ? counted(marks.human, "human action") : "",
    idle ? `no events for ${durationOf(idle.ms)} after #${idle.after}` : "",
  ];
  return parts.filter((part) => part !== "").join("\n");
}
