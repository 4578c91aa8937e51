import { z } from "zod";
import { Refusal } from "../../../decisions/refusal.ts";
import { toIsoTime } from "../../../events/time.ts";
import {
  longSession,
  type SessionFilter,
  sessionIndex,
  sessionLines,
  sessionTotals,
} from "../../../projections/queries/session-list.ts";
import { sessionView } from "../../../projections/queries/session-view.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

const filter = {
  task: wholeNumber(1).optional(),
  outcome: z.enum(["success", "partial", "failure", "timeout", "cancelled"]).optional(),
  running: z.enum(["yes", "no"]).optional(),
};

/** A page of sessions, those that run first. */
export const sessionsAnswer = defineAnswer({
  name: "sessions",
  query: z.strictObject({ ...filter, row: wholeNumber(0), limit: wholeNumber(1, 200) }),
  answer: ({ readModel }, { row, limit, ...asked }) =>
    sessionLines(readModel, filterOf(asked), { row, limit }),
});

/** How many there are, and what they have cost. */
export const sessionTotalsAnswer = defineAnswer({
  name: "session_totals",
  query: z.strictObject(filter),
  answer: ({ readModel, now }, asked) => ({
    ...sessionTotals(readModel, filterOf(asked)),
    /** Until when open sessions have lasted. */
    now: toIsoTime(now),
    /** One that is as long as the axis of all has to be; null where there is none. */
    long: longSession(readModel, filterOf(asked), toIsoTime(now)) ?? null,
  }),
});

/** Where a session stands in the list; null where it is not in it. */
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
    /** Until when an open one has lasted. */
    return { ...found, now: toIsoTime(now) };
  },
});

function filterOf({
  running,
  ...rest
}: Omit<SessionFilter, "running"> & { readonly running?: "yes" | "no" | undefined }): SessionFilter {
  return { ...rest, running: running === undefined ? undefined : running === "yes" };
}
