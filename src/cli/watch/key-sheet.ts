import { type Line, span, spread } from "./line.ts";

/** All keys, and what each does; the letters are those of the panel. */
export function keySheet(width: number): Line[] {
  const heading = spread([span("Keys", "bold")], [span("signalbox watch --help", "dim")], width);
  return [heading, ...KEYS.map(([key, does]): Line => [span(`  ${key.padEnd(9)}`, "bold"), span(does)])];
}

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ["j k", "next, previous item (or the arrows; PgUp PgDn Home End)"],
  ["Enter", "open or close an item; on a question, write an answer"],
  ["1…9", "answer a question with one of its options; 1 is the preferred"],
  ["a", "answer a question, approve a proposal or a gate, accept a done"],
  ["r", "resolve a blocker"],
  ["x", "dismiss a question or blocker, reject a proposal or a gate, send a done back"],
  ["t s b", "retry, skip, abort: what becomes of an escalated gate"],
  ["p", "set the task pending that an agent contests"],
  ["z", "undo the last act of this view, until the task's next session"],
  ["?", "these keys"],
  ["Ctrl-L", "draw the screen again"],
  ["Ctrl-Z", "suspend"],
  ["q", "quit (or Ctrl-C)"],
];
