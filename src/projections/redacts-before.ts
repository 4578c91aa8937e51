import type { Event } from "../events/types/index.ts";
import { REDACTION_TYPE } from "../events/types/redactions.ts";

/** True for a redaction of an event that is reduced already: its texts are in the tables, and may be anywhere there. */
export function redactsBefore(event: Event, position: number): boolean {
  return event.type === REDACTION_TYPE && event.payload.position <= position;
}
