import { z } from "zod";
import { Refusal } from "../../../decisions/refusal.ts";
import { toIsoTime } from "../../../events/time.ts";
import {
  type SessionFilter,
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
  query: z.strictObject({ ...filter, after: wholeNumber(0), limit: wholeNumber(1, 200) }),
  answer: ({ readModel }, { after, limit, ...asked }) =>
    sessionLines(readModel, filterOf(asked), { after, limit }),
});

/** How many there are, and what they have cost. */
export const sessionTotalsAnswer = defineAnswer({
  name: "session_totals",
  query: z.strictObject(filter),
  answer: ({ readModel, now }, asked) => ({
    ...sessionTotals(readModel, filterOf(asked)),
    /** Until when open sessions have lasted. */
    now: toIsoTime(now),
  }),
});

/** A session with its states, signals, proof, agent, workspace and prompt. */
export const sessionAnswer = defineAnswer({
  name: "session",
  query: z.strictObject({ session: z.string().max(200) }),
  answer: ({ readModel, position }, { session }) => {
    const found = sessionView(readModel, session);
    if (!found) throw new Refusal("not_found", `There is no session ${session} at #${position}.`);
    return found;
  },
});

function filterOf({
  running,
  ...rest
}: Omit<SessionFilter, "running"> & { readonly running?: "yes" | "no" | undefined }): SessionFilter {
  return { ...rest, running: running === undefined ? undefined : running === "yes" };
}
