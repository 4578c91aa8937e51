import { dirname } from "node:path";
import { z } from "zod";
import { trustAdvice } from "../../../config/known-log.ts";
import type { Store } from "../../../decisions/store.ts";
import { ralphFolderOf } from "../../../events/project-folder.ts";
import { trustOf } from "../../../project/trust.ts";
import { trackedMend, trackedWords } from "../../../workspace/own-files.ts";
import { defineAnswer } from "./answer.ts";

/** Why nothing runs from the log, and what another could change in the project by git, as sentences. */
export const trustAnswer = defineAnswer({
  name: "trust",
  hasPast: false,
  query: z.strictObject({}),
  answer: ({ present }) => {
    const known = asked.get(present);
    if (known && performance.now() - known.at_ms < KEPT_MS) return known.answer;
    const answer = problemsOf(present);
    asked.set(present, { at_ms: performance.now(), answer });
    return answer;
  },
});

/** Git is asked once for all pages, and not at each event. */
const asked = new WeakMap<
  Store,
  { readonly at_ms: number; readonly answer: ReturnType<typeof problemsOf> }
>();
const KEPT_MS = 5_000;

async function problemsOf(store: Store): Promise<{ readonly problems: readonly string[] }> {
  const path = store.readModel.database.name;
  const folder = dirname(ralphFolderOf(path));
  const { untrusted_log, tracked } = await trustOf(store, folder);
  return {
    problems: [
      ...(untrusted_log ? [trustAdvice(untrusted_log, path)] : []),
      ...(tracked.length > 0
        ? [`In this project ${trackedWords(tracked)}. ${trackedMend(tracked, folder)}`]
        : []),
    ],
  };
}
