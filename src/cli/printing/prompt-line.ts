import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readConfig } from "../../config/config.ts";
import { Refusal } from "../../decisions/refusal.ts";
import type { EventLog } from "../../events/log.ts";
import { stateAt } from "../../history/time-travel/state-at.ts";
import type { PromptReasons } from "../../history/why/prompt.ts";
import { isBlank } from "../../lib/blank.ts";
import { buildPrompt } from "../../loop/prompt/build.ts";
import { madeOf } from "../../loop/prompt/made-of.ts";
import type { Prompt } from "../../loop/prompt/part.ts";
import { PromptError } from "../../loop/prompt/prompt-error.ts";
import { runFolderOf } from "../../loop/run-folder.ts";
import { pastCache } from "../making/past-cache.ts";

/**
 * The line of a prompt that a person names: its text as it is, or, of a number, what stands there in the prompt's file, which
 * must still be the one that was recorded.
 *
 * @throws Refusal `not_found`; `invalid_argument`: an empty line comes from nothing
 */
export function lineOfPrompt(
  readModelPath: string,
  { session, sha256 }: Pick<PromptReasons, "session" | "sha256">,
  asked: string,
): string {
  if (isBlank(asked)) {
    throw new Refusal("not_found", "An empty line has no source. Name a line by its text or its number.");
  }
  if (!/^\d+$/.test(asked)) return asked;
  const { promptFile } = runFolderOf(readModelPath, session);
  const text = existsSync(promptFile) ? readFileSync(promptFile, "utf8") : undefined;
  if (text === undefined || hash("sha256", text) !== sha256) {
    throw new Refusal(
      "not_found",
      `The file ${promptFile} is not the recorded prompt of session ${session}. Give the line's text instead of its number.`,
    );
  }
  const line = text.split("\n")[Number(asked) - 1];
  if (line === undefined) {
    throw new Refusal("not_found", `The prompt of session ${session} has no line ${asked}.`);
  }
  return line;
}

/**
 * The events that a line of a recorded prompt was made of: the prompt is built again from what the read model was then.
 *
 * @returns positions, ascending
 */
export async function eventsOfLine(
  readModelPath: string,
  log: EventLog,
  recorded: Pick<PromptReasons, "task" | "session" | "position" | "sha256">,
  line: string,
): Promise<number[]> {
  if (recorded.task === null) return [];
  const of = recorded.task;
  const then = await stateAt(
    log,
    recorded.position - 1,
    pastCache(readModelPath, () => {}),
  );
  try {
    const { recipe, prompt } = readConfig(readModelPath);
    const { session, sha256 } = recorded;
    const again = (tokens: number) => buildPrompt(then, { task: of, session, recipe, tokens });
    const same = withinBudget(() => again(prompt.tokens));
    // Built with another budget, it had other cuts: here nothing is cut.
    const built = same?.sha256 === sha256 ? same : again(NO_CUTS);
    return madeOf(built, line) ?? [];
  } finally {
    then.close();
  }
}

function withinBudget(build: () => Prompt): Prompt | undefined {
  try {
    return build();
  } catch (error) {
    if (error instanceof PromptError) return undefined;
    throw error;
  }
}

const NO_CUTS = 10_000_000;
