/** The text of a state file as data, so that it can be given whole or within a limit (fit-text.ts). */
export interface StateText {
  /** Lines before the first section. */
  readonly head: readonly string[];
  readonly sections: readonly Section[];
  /** What it says where no section has an entry. */
  readonly empty?: string;
}

export interface Section {
  readonly title: string;
  /** Lines before the entries. */
  readonly lead?: readonly string[];
  /** Each some lines that belong together. */
  readonly entries: readonly (readonly string[])[];
  /** Which entries stay where there is not room for all: those at the beginning, or those at the end. */
  readonly keep: "first" | "last";
}

/** All of it. Sections have an empty line before each; one without entries leaves nothing behind. */
export function wholeText({ head, sections, empty }: StateText): string {
  const filled = sections.filter(({ entries }) => entries.length > 0);
  const body = filled.flatMap(({ title, lead = [], entries }) => [
    ...openingOf(title),
    ...lead,
    ...entries.flat(),
  ]);
  const instead = empty === undefined || filled.length > 0 ? [] : ["", empty];
  return [...head, ...body, ...instead, ""].join("\n");
}

/** The lines before the first entry of a section. */
export function openingOf(title: string): string[] {
  return ["", `## ${title}`, ""];
}
