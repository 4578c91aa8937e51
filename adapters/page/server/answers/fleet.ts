import { z } from "zod";
import { defineAnswer } from "./answer.ts";

/** The servers and hosts of a log that several hosts share, always of the present; null for a log that is a file. */
export const fleetAnswer = defineAnswer({
  name: "fleet",
  query: z.strictObject({}),
  answer: async ({ fleet }) => (await fleet?.()) ?? null,
});
