import type { EnteredState, SessionState } from "../core.ts";
import { millisecondsOf } from "./zone.ts";

/** A state of a session, from its start to the next one's, in milliseconds since 1970. */
export interface Step {
  readonly state: SessionState;
  /** True if it came out of order. */
  readonly irregular: boolean;
  /** The state before it; undefined for the first. */
  readonly before: SessionState | undefined;
  readonly from: number;
  readonly to: number;
  /** The position at which it was entered, and that of the next one; undefined while it lasts. */
  readonly position: number;
  readonly next: number | undefined;
}

/** A part of a bar: one step, or several that are too short to see. */
export interface Segment {
  readonly steps: readonly Step[];
  readonly isShort: boolean;
  /** In pixels, the gap to the next one included. */
  readonly width: number;
}

/** In pixels; narrower segments merge. */
const NARROWEST = 3;

/**
 * The steps of a session. The last one lasts until `end`. The final state (`done` or `failed`) has no
 * length and is left out.
 */
export function stepsOf(phases: readonly EnteredState[], end: number): Step[] {
  return phases.flatMap(({ state, irregular, entered_at, position }, index): Step[] => {
    if (state === "done" || state === "failed") return [];
    const next = phases[index + 1];
    const from = millisecondsOf(entered_at);
    return [
      {
        state,
        irregular: irregular === 1,
        before: phases[index - 1]?.state,
        from,
        // The clock may have been set back.
        to: Math.max(from, next ? millisecondsOf(next.entered_at) : end),
        position,
        next: next?.position,
      },
    ];
  });
}

/** Steps as parts of a bar; short neighbours merge. @param scale pixels per millisecond */
export function segmentsOf(steps: readonly Step[], scale: number): Segment[] {
  const segments: Segment[] = [];
  for (const step of steps) {
    const width = (step.to - step.from) * scale;
    const last = segments.at(-1);
    if (width >= NARROWEST) segments.push({ steps: [step], isShort: false, width });
    else if (last?.isShort) {
      segments[segments.length - 1] = {
        ...last,
        steps: [...last.steps, step],
        width: last.width + width,
      };
    } else segments.push({ steps: [step], isShort: true, width });
  }
  return segments.map((segment) => ({ ...segment, width: Math.max(NARROWEST, segment.width) }));
}

/** The axis length for a session length, rounded up to 1, 2, 4 minutes, …; in milliseconds. */
export function axisFor(length: number): number {
  return STEPS_MIN.map((minutes) => minutes * 60_000).find((step) => step >= length) ?? length;
}

const STEPS_MIN = [1, 2, 4, 8, 12, 20, 30, 40, 60, 120, 240, 480, 720, 1_440, 2_880, 5_760, 11_520];
