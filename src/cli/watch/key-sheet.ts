import { type Line, span, spread } from "./line.ts";

/** All keys, and what each does; the letters are those of the panel. */
export function keySheet(width: number): Line[] {
  const heading = spread([span("Keys", "bold")], [span("signalbox watch --help", "dim")], width);
  return [heading, ...KEYS.map(([key, does]): Line => [span(`  ${key.padEnd(9)}`, "bold"), span(does)])];
}

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ["j k", "next, previous item (also arrows, PgUp, PgDn, Home, End)"],
  ["Enter", "open or close an item; on a question, write an answer"],
  ["1…9", "answer a question with one of its options (1 is preferred)"],
  ["a", "answer a question, approve a proposal or a gate, accept a done"],
  ["r", "resolve a blocker"],
  ["x", "dismiss a question or blocker, reject a proposal or a gate, send a done back"],
  ["t s b", "retry, skip or abort an escalated gate"],
  ["p", "reopen a task whose done an agent disputes"],
  ["z", "undo your last action here, until the task's next session"],
  ["?", "show these keys"],
  ["Ctrl-L", "redraw the screen"],
  ["Ctrl-Z", "suspend"],
  ["q", "quit (or Ctrl-C)"],
];
