import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { Refusal } from "../decisions/refusal.ts";
import { runFolderOf } from "../loop/run-folder.ts";
import type { PromptReasons } from "../replay/why/prompt.ts";

/**
 * The line of a prompt that a person names: its text as it is, or, of a number, what stands there in the prompt's file, which
 * must still be the one that was recorded.
 *
 * @throws Refusal `not_found`
 */
export function lineOfPrompt(
  readModelPath: string,
  { session, sha256 }: Pick<PromptReasons, "session" | "sha256">,
  asked: string,
): string {
  if (!/^\d+$/.test(asked)) return asked;
  const { promptFile } = runFolderOf(readModelPath, session);
  const text = existsSync(promptFile) ? readFileSync(promptFile, "utf8") : undefined;
  if (text === undefined || hash("sha256", text) !== sha256) {
    throw new Refusal(
      "not_found",
      `The prompt of session ${session} is not kept in ${promptFile} as it was recorded; give the line's text instead of its number.`,
    );
  }
  const line = text.split("\n")[Number(asked) - 1];
  if (line === undefined) {
    throw new Refusal("not_found", `The prompt of session ${session} has no line ${asked}.`);
  }
  return line;
}
