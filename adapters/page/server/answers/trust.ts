import { z } from "zod";
import { type Store, trustProblems } from "../core.ts";
import { defineAnswer } from "./answer.ts";

/** Why nothing runs from the log, and what another could change in the project by git, as sentences. */
export const trustAnswer = defineAnswer({
  name: "trust",
  hasPast: false,
  query: z.strictObject({}),
  answer: async ({ present }) => {
    const known = asked.get(present);
    if (known && performance.now() - known.at_ms < KEPT_MS) return { problems: await known.problems };
    const problems = trustProblems(present);
    asked.set(present, { at_ms: performance.now(), problems });
    return { problems: await problems };
  },
});

/** Git is asked once for all pages, and not at each event. */
const asked = new WeakMap<
  Store,
  { readonly at_ms: number; readonly problems: ReturnType<typeof trustProblems> }
>();
const KEPT_MS = 5_000;
