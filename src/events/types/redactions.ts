import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, position, text } from "./fields.ts";
import { structural } from "./structure.ts";

/** The stream of all redactions: here a log finds the redaction of an event without payload. */
export const REDACTIONS = "redactions";

export const REDACTION_TYPE = "event.redacted";

const eventRedacted = defineEvent({
  type: REDACTION_TYPE,
  version: 1,
  description:
    "Texts of an earlier event were removed: its payload and salt are deleted, and readers get " +
    "`kept` instead.",
  payload: z.strictObject({
    /** The id of the redacted event. */
    position,
    /** Its type, and the schema version of `kept`. */
    type: structural(line),
    schema_version: z.int().min(1),
    reason: text.max(2_000),
    /** SHA-256 of its salt and payload before the redaction, in hex; still proves the leaf hash. */
    payload_hash: structural(z.string().regex(/^[0-9a-f]{64}$/)),
    /** Its payload without the removed texts: everything derived from it stays valid. */
    kept: z.looseObject({}),
  }),
  stream: () => REDACTIONS,
  timeline: ({ position: of, reason }) => `Event ${of} redacted: ${reason}`,
  example: {
    position: 41,
    type: "signal.learned",
    schema_version: 1,
    reason: "The token of the staging server was in it.",
    payload_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    kept: { text: "[redacted]", kind: "discovery", task: 7, session: "s-1" },
  },
});

/** Every event of this family, in the order of docs/events.md. */
export const redactionEvents = [eventRedacted] as const;
