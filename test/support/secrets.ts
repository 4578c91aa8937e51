import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { signalbox } from "./cli.ts";

/** What is redacted. */
export const SECRET = "sk-live-7f3a9c0d";
/** The part of it that a search index has as a word. */
const WORD = "7f3a9c0d";

/** Every file below a folder in which the secret stands, or its word alone, in whatever case of letters. */
export function filesWithSecret(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return files.filter(
    (path) => statSync(path).isFile() && readFileSync(path, "latin1").toLowerCase().includes(WORD),
  );
}

/** The positions of the events of `givenSecrets` that have the secret. */
export const SECRETS = [3, 5, 6, 7];

/** Makes a project with the secret in a task (3), a learning (5), an ask (6) and a partial (7), and in state files. */
export async function givenSecrets(cwd: string): Promise<string> {
  const run = async (...args: string[]) => {
    const ran = await signalbox(args, { cwd });
    expect(ran.stderr).toBe("");
  };
  await run("init");
  await run("task", "add", "Export", "--description", `Use ${SECRET} for it`);
  await run("session", "start", "1", "--session", "s-1");
  const signal = (verb: string, ...args: string[]) => run("signal", verb, "--session", "s-1", ...args);
  await signal("learned", "--text", `The token is ${SECRET}`, "--kind", "discovery");
  await signal("ask", "--question", `Is ${SECRET} right?`, "--blocking", "--option", `no, not ${SECRET}`);
  await signal("partial", "--summary", `half of it, with ${SECRET}`, "--remaining", "the rest");
  await run("session", "end", "s-1", "--exit", "exited");
  await run("state-files");
  return cwd;
}

/** Redacts the event at a position as a user does. */
export function redactAt(cwd: string, position: number, ...more: string[]) {
  return signalbox(["redact", String(position), "--reason", "a live key", ...more], { cwd });
}
