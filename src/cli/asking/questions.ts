import { once } from "node:events";
import { createInterface } from "node:readline";
import { ToldError } from "../../lib/told-error.ts";
import { carriedSessions } from "../making/carried-sessions.ts";

/** Whether a human can be asked: at a terminal, and not in the session of an agent, which may have one too. */
export function canAsk(): boolean {
  const { stdin, stderr } = process;
  return stdin.isTTY === true && stderr.isTTY === true && carriedSessions().length === 0;
}

/** Asks a question of one or more lines. @returns the answer without blanks around it. @throws NoAnswerError */
export type Ask = (question: string) => Promise<string>;

/**
 * Asks questions on the terminal (stderr), one after the other. Lines that are typed ahead answer the later ones.
 *
 * @throws NoAnswerError: the input ended, or Ctrl-C was pressed
 */
export async function withQuestions<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ahead: string[] = [];
  terminal.on("line", (line) => ahead.push(line));
  const ended = once(terminal, "close").then(() => Promise.reject(new NoAnswerError()));
  // Nobody may be waiting when it closes.
  ended.catch(() => {});
  try {
    return await work(async (question) => {
      const prompt = question.lastIndexOf("\n") + 1;
      process.stderr.write(question.slice(0, prompt));
      terminal.setPrompt(question.slice(prompt));
      if (ahead.length > 0) process.stderr.write(`${terminal.getPrompt()}${ahead[0]}\n`);
      else {
        terminal.prompt();
        await Promise.race([once(terminal, "line"), ended]);
      }
      return ahead.shift()?.trim() ?? "";
    });
  } finally {
    terminal.close();
  }
}

/** Asks until the answer is one of `known`; an empty answer is `fallback`. */
export async function choose<T extends string>(
  ask: Ask,
  question: string,
  known: readonly T[],
  fallback: T,
): Promise<T> {
  const choices = known.join(", ");
  for (let before = question; ; before = `Answer with ${choices}.`) {
    const word = (await ask(`${before}\n${choices} [${fallback}]: `)) || fallback;
    const choice = known.find((one) => one === word);
    if (choice !== undefined) return choice;
  }
}

/** Asks for a confirmation. Anything but a yes declines it. */
export async function confirms(ask: Ask, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}

/** Asks for one confirmation. The end of the input declines it, too. */
export function confirmedByHand(question = "Confirm this configuration?"): Promise<boolean> {
  return withQuestions((ask) => confirms(ask, question)).catch((error: unknown) => {
    if (error instanceof NoAnswerError) return false;
    throw error;
  });
}

class NoAnswerError extends ToldError<"no_answer"> {
  override readonly name = "NoAnswerError";
  readonly fault = "refused";

  constructor() {
    super("no_answer", "Stopped: there was no answer. What you answered before is kept.");
  }
}
