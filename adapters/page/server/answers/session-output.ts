import { z } from "zod";
import {
  findInOutput,
  findSession,
  type OutputOf,
  Refusal,
  readEntry,
  readOutput,
  type Session,
  secretValues,
  whyNoOutput,
} from "../core.ts";
import type { Moment } from "../moment.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

const session = z.string().max(200);

/**
 * A page of what a session's agent printed, from a file: it is always that of the present. Without
 * `from` and `before` its end.
 */
export const sessionOutputAnswer = defineAnswer({
  name: "session_output",
  hasPast: false,
  query: z.strictObject({
    session,
    /** In bytes: the `end` of the page before. */
    from: wholeNumber(0).optional(),
    /** In bytes: the `start` of the page after. */
    before: wholeNumber(0).optional(),
    /** The most lines. */
    limit: wholeNumber(1, 200),
  }),
  answer: async ({ present }, { session: id, ...wish }) => {
    const row = sessionIn(present, id);
    const page = await readOutput(outputOf(present, row), wish);
    if (page) return { page, missing: null };
    return { page: null, missing: whyNoOutput(present.readModel.database.name, row) };
  },
});

/** Searches it, the newest first, a limited part at a time. */
export const sessionOutputFindAnswer = defineAnswer({
  name: "session_output_find",
  hasPast: false,
  query: z.strictObject({ session, text: z.string().max(200), before: wholeNumber(0).optional() }),
  answer: async ({ present }, { session: id, text, before }) => {
    const row = sessionIn(present, id);
    return (await findInOutput(outputOf(present, row), text, before)) ?? { entries: [], next: null };
  },
});

/** The whole text of an entry. */
export const sessionOutputEntryAnswer = defineAnswer({
  name: "session_output_entry",
  hasPast: false,
  query: z.strictObject({
    session,
    /** In bytes; `at` would be a position of the log. */
    from: wholeNumber(0),
    nth: wholeNumber(0),
  }),
  answer: async ({ present }, { session: id, from, nth }) => {
    const entry = await readEntry(outputOf(present, sessionIn(present, id)), from, nth);
    if (entry) return entry;
    throw new Refusal("not_found", `The output of session ${id} has no entry ${nth} at byte ${from}.`);
  },
});

type Present = Moment["present"];

/** @throws Refusal `not_found` */
export function sessionIn({ readModel }: Present, id: string): Session {
  const found = findSession(readModel, id);
  if (!found) throw new Refusal("not_found", `There is no session ${id}.`);
  return found;
}

function outputOf({ readModel }: Present, { id, completed_at }: Session): OutputOf {
  return {
    readModelPath: readModel.database.name,
    session: id,
    isOver: completed_at !== null,
    secrets: secretValues(process.env),
  };
}
