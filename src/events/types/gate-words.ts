import { someOf } from "../../lib/some-of.ts";
import { visible } from "../../lib/visible.ts";

/*
 * What a gate's pass proves, in words, the same everywhere. Kept apart from the schemas, since the panel's page does not load those.
 */

/** What is known of a gate beside its state. */
export interface GateEvidence {
  readonly command: string;
  /** How it ended before the task's work; null: unknown. */
  readonly before: "passed" | "failed" | null;
  /** How it ended on the files of its pass without these changes of the task; null: nobody tried. */
  readonly without: (Files & { readonly state: "passed" | "failed" }) | null;
  /** Its last attempt left other files than it began with. */
  readonly changes_files: boolean;
  /** The runs that failed, and then passed on the same files. */
  readonly unsteady: { readonly failed: number; readonly passed: number } | null;
}

/** Of a gate that a human is asked about: `Gate 1 passes without the work` */
export const UNPROVEN = "passes without the work";

interface Files {
  readonly files: readonly string[];
  /** How many more there are than are named. */
  readonly more: number;
}

/** Whether a pass proves that the work was done; null: unknown. */
export function provenBy({ command, before, without }: GateEvidence): "yes" | "no" | null {
  if (alwaysPasses(command)) return "no";
  const instead = without?.state ?? before;
  return instead && (instead === "passed" ? "no" : "yes");
}

/** `red before, green after, red without src/parser.ts`; empty where nothing is known. */
export function evidenceInWords(evidence: GateEvidence): string {
  const { command, before, without, changes_files, unsteady } = evidence;
  const proven = provenBy(evidence);
  return [
    ...(alwaysPasses(command) ? ["always passes"] : []),
    ...(before === null ? [] : [before === "failed" ? "red before" : "passes already: green before"]),
    ...((before ?? without) ? ["green after"] : []),
    ...(without
      ? [without.state === "failed" ? `red without ${filesInWords(without)}` : "green without the work"]
      : []),
    ...(proven === null ? [] : [`proven: ${proven}`]),
    ...(changes_files ? ["changes the files that it checks"] : []),
    ...(unsteady
      ? [`failed (#${unsteady.failed}), then passed (#${unsteady.passed}) on the same files`]
      : []),
  ].join(", ");
}

/** `src/a.ts, src/b.ts, src/c.ts and 2 more` */
export function filesInWords({ files, more }: Files): string {
  return someOf(files, { most: 3, more });
}

/** A sentence for each of these commands that passes whatever the work is; said where gates are declared. */
export function alwaysPassing(gates: readonly { readonly command: string }[]): string[] {
  return gates
    .filter(({ command }) => alwaysPasses(command))
    .map(({ command }) => `\`${visible(command.trim())}\` always passes, so as a gate it proves nothing.`);
}

/** Plainly: `true`, `:`, `exit 0`, `echo done`, several of them, or one of them after `||`. Every other command may fail. */
export function alwaysPasses(command: string): boolean {
  const text = command.trim();
  if (text.length > 500) return false;
  return NOTHING.test(text) || (FALLS_BACK.test(text) && !/[;\n#]|\bexit +[1-9$]/.test(text));
}

const NO_OP = String.raw`(?:(?:/bin/|/usr/bin/)?true|:|exit(?: +0)?|echo\b[^;&|<>$\x60()\n]*)`;
const NOTHING = new RegExp(String.raw`^(?:#.*|${NO_OP}(?:\s*(?:&&|\|\||;|\n)\s*${NO_OP})*;?)?$`);
const FALLS_BACK = new RegExp(String.raw`\|\|\s*${NO_OP}$`);
