import { z } from "zod";
import { parsedJson, secretValues, sessionChanges } from "../core.ts";
import { RequestAborted } from "../moment.ts";
import { defineAnswer } from "./answer.ts";
import { sessionIn } from "./session-output.ts";

/** How a session changed the files, and the diffs of the opened ones; always that of the present. */
export const sessionChangesAnswer = defineAnswer({
  name: "session_changes",
  hasPast: false,
  query: z.strictObject({
    session: z.string().max(200),
    /** A JSON list of paths. */
    open: z
      .string()
      .max(8_000)
      .refine((text) => pathsIn(text) !== undefined, {
        error: 'must be a JSON list of at most 20 paths, such as ["src/a.ts"]',
      })
      .optional(),
    /** Only files with it in their path or in a changed line. */
    text: z
      .string()
      .max(200)
      .regex(/^[^\0]*$/, { error: "must not contain the character U+0000" })
      .optional(),
  }),
  answer: async ({ present, signal }, { session, open, text }) => {
    const asked = sessionChanges(present.readModel.database.name, sessionIn(present, session), {
      open: (open === undefined ? undefined : pathsIn(open)) ?? [],
      text,
      secrets: secretValues(process.env),
      signal,
    });
    const changes = await asked.catch((error: unknown) => {
      throw signal.aborted ? new RequestAborted() : error;
    });
    return "missing" in changes ? { changes: null, ...changes } : { changes, missing: null };
  },
});

function pathsIn(text: string): readonly string[] | undefined {
  return paths.safeParse(parsedJson(text)).data;
}

const paths = z.array(z.string().max(4_096)).max(20);
