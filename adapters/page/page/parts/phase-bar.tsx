import { useId, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { clockLength, counted } from "../core.ts";
import { useStore } from "../store.ts";
import { irregularSentence } from "./irregular.ts";
import { PhaseSymbol } from "./phase.tsx";
import { type Segment, type Step, segmentsOf } from "./phase-segments.ts";
import { Popover } from "./popover.tsx";
import { momentIn, zone } from "./zone.ts";
import "./phase-bar.css";

interface PhaseBarProps {
  readonly label: string;
  readonly steps: readonly Step[];
  /** The length of the axis in milliseconds; a longer bar is drawn to its own scale and says so. */
  readonly axis: number;
  /** The width of the axis in pixels. */
  readonly width: number;
  /** The number of earlier steps that are not shown. */
  readonly before?: number;
}

/**
 * The phases of a session as a bar, a single tab stop: arrow keys move between phases. Each phase
 * links to the event that began it.
 */
export function PhaseBar({ label, steps, axis, width, before = 0 }: PhaseBarProps) {
  const { with: to } = useAddress();
  const [at, setAt] = useState<number>();
  const [isTipOpen, setTipOpen] = useState(false);
  const bar = useRef<HTMLUListElement>(null);
  const tip = useId();
  const length = (steps.at(-1)?.to ?? 0) - (steps[0]?.from ?? 0);
  const isLonger = length > axis;
  const segments = segmentsOf(steps, length === 0 && axis === 0 ? 0 : width / (isLonger ? length : axis));
  const current = Math.min(at ?? segments.length - 1, segments.length - 1);
  const told = isTipOpen ? segments[current] : undefined;
  const linkAt = (index: number) =>
    bar.current?.querySelectorAll("a")[Math.max(0, Math.min(index, segments.length - 1))];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it have the focus
    <div
      class={`phase-bar ${isLonger ? "is-longer" : ""}`}
      onMouseLeave={() => setTipOpen(false)}
      onKeyDown={(event) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step === 0) return;
        event.preventDefault();
        linkAt(current + step)?.focus();
      }}
    >
      <ul ref={bar} aria-label={label}>
        {segments.map((segment, index) => {
          const [first] = segment.steps;
          const tell = () => {
            setAt(index);
            setTipOpen(true);
          };
          return (
            <li key={first?.position} style={{ width: `${segment.width}px` }}>
              <Link
                href={to({ event: first?.position }, "/log")}
                class={`segment ${segment.isShort ? "is-short" : `segment-${first?.state}`}`}
                aria-label={labelOf(segment)}
                aria-describedby={told === segment ? tip : undefined}
                tabIndex={index === current ? 0 : -1}
                onMouseEnter={tell}
                onFocus={tell}
                onBlur={() => setTipOpen(false)}
              >
                {!segment.isShort && segment.width >= SYMBOL && first && <PhaseSymbol state={first.state} />}
              </Link>
            </li>
          );
        })}
      </ul>
      {isLonger && (
        <span class="muted" title="Longer than the axis: drawn to its own scale">
          ≫<span class="hidden-but-read"> longer than the axis: drawn to its own scale</span>
        </span>
      )}
      {told && (
        <Popover id={tip} label={undefined} anchor={() => linkAt(current)} onClose={() => setTipOpen(false)}>
          <SegmentTip segment={told} before={current === 0 ? before : 0} />
        </Popover>
      )}
    </div>
  );
}

/** The phases of a segment, each with its times, its length and its positions. */
function SegmentTip({ segment, before }: { readonly segment: Segment; readonly before: number }) {
  const chosen = useStore(zone);
  const { steps } = segment;
  return (
    <>
      {before > 0 && <p class="muted">{counted(before, "earlier step")} not shown.</p>}
      {segment.isShort && <p>{shortWords(steps)}</p>}
      <ul>
        {steps.slice(0, TIP_STEPS).map((step) => (
          <li key={step.position}>
            <span class={`phase phase-${step.state}`}>
              <PhaseSymbol state={step.state} /> {step.state}
            </span>{" "}
            {clockLength(step.to - step.from)}
            <br />
            <span class="muted">
              {momentIn(chosen, step.from)} – {step.next === undefined ? "now" : momentIn(chosen, step.to)}
              <br />
              {positionsOf(step)}
            </span>
            {step.irregular && <p>! {irregularSentence(step)}</p>}
          </li>
        ))}
      </ul>
      {steps.length > TIP_STEPS && <p class="muted">and {steps.length - TIP_STEPS} more</p>}
    </>
  );
}

/** Segments of at least this width show their symbol. */
const SYMBOL = 18;
const TIP_STEPS = 6;

function labelOf({ steps, isShort }: Segment): string {
  const [first] = steps;
  if (!first) return "";
  if (isShort) return `${shortWords(steps)}, from #${first.position}`;
  const mark = first.irregular ? ", irregular" : "";
  return `${first.state}, ${clockLength(first.to - first.from)}, ${positionsOf(first)}${mark}`;
}

function shortWords(steps: readonly Step[]): string {
  return counted(steps.length, "short step");
}

function positionsOf({ position, next }: Step): string {
  const from = `#${position.toLocaleString("en")}`;
  return next === undefined ? `since ${from}` : `${from} to #${next.toLocaleString("en")}`;
}
