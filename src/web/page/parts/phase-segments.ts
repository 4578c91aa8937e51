import type { SessionState } from "../../../events/types/sessions.ts";
import type { EnteredState } from "../../../projections/queries/session-list.ts";
import { millisecondsOf } from "./zone.ts";

/** A state of a session from when it was entered until the next one was, in milliseconds since 1970. */
export interface Step {
  readonly state: SessionState;
  /** True if the step into it was unusual. */
  readonly irregular: boolean;
  /** The state before it; undefined for the first. */
  readonly before: SessionState | undefined;
  readonly from: number;
  readonly to: number;
  /** The position at which it was entered, and that of the next one; undefined while it lasts. */
  readonly position: number;
  readonly next: number | undefined;
}

/** A part of a bar: one step, or several that are too short to be seen. */
export interface Segment {
  readonly steps: readonly Step[];
  readonly isShort: boolean;
  /** In pixels, the gap to the next one included. */
  readonly width: number;
}

/** What a segment is at least; narrower ones merge. */
const NARROWEST = 3;

/**
 * The steps of a session. The last one lasts until `end`: a session that runs has none of its own. The state with which a
 * session ended lasts no time, and is none.
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
        // A clock that was set back is behind the log.
        to: Math.max(from, next ? millisecondsOf(next.entered_at) : end),
        position,
        next: next?.position,
      },
    ];
  });
}

/** Steps as parts of a bar; neighbours that would be narrower than 3 pixels are one. @param scale pixels for a millisecond */
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

/** The length that an axis shows: the next of 1, 2, 4 minutes, … that a length fits into. In milliseconds. */
export function axisFor(length: number): number {
  return STEPS_MIN.map((minutes) => minutes * 60_000).find((step) => step >= length) ?? length;
}

const STEPS_MIN = [1, 2, 4, 8, 12, 20, 30, 40, 60, 120, 240, 480, 720, 1_440, 2_880, 5_760, 11_520];
