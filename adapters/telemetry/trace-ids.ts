import { hash } from "node:crypto";

/**
 * The id of a session's trace, 32 hex digits. It follows from the log alone, so that what is sent twice is the same trace.
 *
 * @param origin the id of the log's first event, which no other log has: two projects may both have a session `s-1`
 */
export function traceIdOf(origin: string, session: string, startedPosition: number): string {
  return digest(["trace", origin, session, startedPosition]).slice(0, 32);
}

/** The id of a span, 16 hex digits. @param position of the event at which it began */
export function spanIdOf(traceId: string, kind: "session" | "phase" | "gate", position: number): string {
  return digest(["span", traceId, kind, position]).slice(0, 16);
}

/** All zeros would be no id; that a digest begins so does not happen. */
function digest(parts: readonly (string | number)[]): string {
  return hash("sha256", JSON.stringify(["signalbox", ...parts]), "hex");
}
