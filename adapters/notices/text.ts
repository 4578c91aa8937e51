import { type Message, maskedBeginning, type Notice, oneLine, shorten, visible } from "./core.ts";

/**
 * A message's title in one line, at most `TITLE_LIMIT` characters: our words and the project's name alone. It begins with `[`, so no
 * program takes it for an option.
 */
export function titleOf({ notices }: Message): string {
  const [first] = notices;
  const project = shorten(plainLine(first?.project ?? ""), 60);
  const what = notices.length === 1 && first ? headline(first) : `${notices.length} notices`;
  return shorten(`[${project}] ${what}`, TITLE_LIMIT);
}

const TITLE_LIMIT = 150;

/**
 * A message as plain text of at most `limit_bytes` in UTF-8. Each line with text of an agent begins with `> `, and no other line does:
 * an agent cannot write a line of ours.
 */
export function textOf({ notices }: Message, limit_bytes: number): string {
  for (const limit of TEXT_LIMITS) {
    const text = notices.map((notice) => sectionOf(notice, limit)).join("\n\n");
    if (Buffer.byteLength(text) <= limit_bytes) return text;
  }
  return beginningOf(notices, limit_bytes);
}

/** How many characters of each text are told; fewer where a message would become too long. */
const TEXT_LIMITS = [2_000, 500, 120];

/** The first notices of many, and how many are left out. */
function beginningOf(notices: readonly Notice[], limit_bytes: number): string {
  let told = "";
  for (const [index, notice] of notices.entries()) {
    const rest = (count: number) => (count === 0 ? "" : `\n\n${count} more: see the inbox.`);
    const next = `${told}${index === 0 ? "" : "\n\n"}${sectionOf(notice, 40)}`;
    if (Buffer.byteLength(next + rest(notices.length - index - 1)) > limit_bytes) {
      return `${told}${rest(notices.length - index)}`.trimStart();
    }
    told = next;
  }
  return told;
}

function sectionOf(notice: Notice, limit: number): string {
  const { task, text, detail, options, at, link } = notice;
  return [
    headline(notice),
    ...(task ? quoteOf(task.title, limit) : []),
    ...(text === "" ? [] : ["Text:", ...quoteOf(text, limit)]),
    ...(detail ? ["Details:", ...quoteOf(detail, limit)] : []),
    ...(options.length > 0
      ? ["Options:", ...options.flatMap((option) => quoteOf(oneLine(option), limit))]
      : []),
    `Recorded at ${at}.`,
    ...(link === null ? [] : [`Open it: ${link}`]),
  ].join("\n");
}

/** `A question blocks a task (task 12)`. */
export function headline({ subject, task }: Notice): string {
  return `${plainLine(subject)}${task ? ` (task ${task.id})` : ""}`;
}

/** A text in lines that each begin with `> `, and a line of ours if it was cut. */
function quoteOf(text: string, limit: number): string[] {
  const { lines, isCut } = agentLines(text, limit);
  return [...lines.map((line) => `> ${line}`), ...(isCut ? ["Cut here: the rest is on the page."] : [])];
}

/**
 * The beginning of what an agent wrote, in visible lines so short that few screens break them again: what follows a break could pass for
 * a line of ours.
 *
 * @param limit in characters
 */
export function agentLines(
  text: string,
  limit: number,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  const { text: beginning, cut } = maskedBeginning(text, limit);
  const lines = beginning
    .split(LINE_BREAK)
    .flatMap((line) => visible(line).replace(BLANKS, "    ").match(WRAPPED) ?? [""])
    .map((line) => line.trimEnd());
  return { lines, isCut: cut > 0 };
}

/** Whatever some program takes for the end of a line. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
/** So many that they could push what follows into the next line on a screen. */
const BLANKS = /[\p{Zs}\u2800\u3164\u115f\u1160\uffa0]{5,}/gu;
const WRAPPED = /.{1,72}(?:\s+|$)|.{1,72}/gu;

/** A text as one line without anything hidden. */
export function plainLine(text: string): string {
  return visible(oneLine(text)).trim();
}
