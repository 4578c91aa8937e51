import { z } from "zod";
import {
  longSession,
  Refusal,
  type SessionFilter,
  sessionIndex,
  sessionLines,
  sessionTotals,
  sessionView,
  toIsoTime,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

const filter = {
  task: wholeNumber(1).optional(),
  outcome: z.enum(["success", "partial", "failure", "timeout", "cancelled"]).optional(),
  running: z.enum(["yes", "no"]).optional(),
};

/** A page of sessions, running ones first. */
export const sessionsAnswer = defineAnswer({
  name: "sessions",
  query: z.strictObject({ ...filter, row: wholeNumber(0), limit: wholeNumber(1, 200) }),
  answer: ({ readModel }, { row, limit, ...asked }) =>
    sessionLines(readModel, filterOf(asked), { row, limit }),
});

/** The number of sessions, and their cost. */
export const sessionTotalsAnswer = defineAnswer({
  name: "session_totals",
  query: z.strictObject(filter),
  answer: ({ readModel, now }, asked) => ({
    ...sessionTotals(readModel, filterOf(asked)),
    /** The end of running durations. */
    now: toIsoTime(now),
    /** A session that decides the length of the axis; null if there is none. */
    long: longSession(readModel, filterOf(asked), toIsoTime(now)) ?? null,
  }),
});

/** The index of a session in the list; null if it is not in it. */
export const sessionIndexAnswer = defineAnswer({
  name: "session_index",
  query: z.strictObject({ ...filter, session: z.string().max(200) }),
  answer: ({ readModel }, { session, ...asked }) => sessionIndex(readModel, filterOf(asked), session),
});

/** A session with its states, signals, proof, agent, workspace and prompt. */
export const sessionAnswer = defineAnswer({
  name: "session",
  query: z.strictObject({ session: z.string().max(200) }),
  answer: ({ readModel, position, now }, { session }) => {
    const found = sessionView(readModel, session);
    if (!found) throw new Refusal("not_found", `There is no session ${session} at #${position}.`);
    /** The end of running durations. */
    return { ...found, now: toIsoTime(now) };
  },
});

function filterOf({
  running,
  ...rest
}: Omit<SessionFilter, "running"> & { readonly running?: "yes" | "no" | undefined }): SessionFilter {
  return { ...rest, running: running === undefined ? undefined : running === "yes" };
}
