import { z } from "zod";
import { momentNamed, PointError, Refusal, rangeWithin } from "../core.ts";
import { defineAnswer } from "./answer.ts";

type Bound = "since" | "until" | "from" | "to" | "after";

/** The positions within the bounds that `signalbox log list` takes; or which bound is wrong, and why. */
export const logRangeAnswer = defineAnswer({
  name: "log_range",
  query: z.strictObject({ since: bound(), until: bound(), from: bound(), to: bound(), after: bound() }),
  answer: async ({ log, now }, given) => {
    const wrong: Partial<Record<Bound, string>> = {};
    const time = async (name: Bound, edge: "start" | "end") => {
      const text = given[name];
      try {
        return text === undefined ? undefined : await momentNamed(text, now, edge);
      } catch (error) {
        if (!(error instanceof PointError)) throw error;
        wrong[name] = error.message;
      }
    };
    const position = (name: Bound, least: 0 | 1) => {
      const text = given[name];
      if (text === undefined) return undefined;
      if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
      wrong[name] = `"${text}" is not a position. It must be a whole number, ${least} or higher.`;
    };
    const since = await time("since", "start");
    const until = await time("until", "end");
    const bounds = {
      since,
      until,
      from: position("from", 1),
      to: position("to", 0),
      after: position("after", 0),
    };
    if (Object.keys(wrong).length > 0) return { range: null, wrong };
    try {
      const { from, to } = await rangeWithin(log, bounds);
      return { range: { from, to: Number.isFinite(to) ? to : null }, wrong };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isOfTimes = since !== undefined && until !== undefined && since > until;
      return { range: null, wrong: { [isOfTimes ? "until" : "to"]: error.message } };
    }
  },
});

function bound() {
  return z.string().max(200).optional();
}
