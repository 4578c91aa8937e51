import { z } from "zod";
import { CHARTS, chart } from "../core.ts";
import { isZone, lastDays } from "../days.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** A chart by day in a time zone, with the SQL behind its numbers. */
export const chartAnswer = defineAnswer({
  name: "chart",
  query: z.strictObject({
    chart: z.enum(CHARTS),
    days: wholeNumber(1, 366),
    zone: z.string().max(100).refine(isZone, "must be a time zone, such as UTC or Europe/Berlin"),
    until: z.iso.date().optional(),
  }),
  answer: async ({ log, readModel, now }, { chart: name, ...asked }) => {
    const window = await lastDays(log, now, asked);
    return { ...window, zone: asked.zone, ...chart(readModel, name, window.days, now) };
  },
});
