import type { EventRecord } from "./event-record.ts";

/** How many records tell whether a log has only the events of `init`: one more than it makes at most. */
export const BEGINNINGS_LOOK = 4;

const BEGINNINGS: ReadonlySet<string> = new Set([
  "feature.created",
  "discipline.created",
  "project.described",
]);

/**
 * Whether a log has only the events of `init`, or none: it contains no one's work.
 *
 * @param first its first records, `BEGINNINGS_LOOK` of them if it has so many
 */
export function areBeginnings(first: readonly EventRecord[]): boolean {
  return (
    first.length < BEGINNINGS_LOOK &&
    first.every(
      ({ type, stream }) => BEGINNINGS.has(type) && (stream === "project" || stream.endsWith("-general")),
    )
  );
}
