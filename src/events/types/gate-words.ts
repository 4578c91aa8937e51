import { visible } from "../../lib/visible.ts";

/*
 * What a gate's pass proves, in words, the same everywhere. Kept apart from the schemas, since the panel's page does not load those.
 */

/** What is known of a gate beside its state. */
export interface GateEvidence {
  readonly command: string;
  /** Its last attempt left other files than it began with. */
  readonly changes_files: boolean;
  /** The runs that failed, and then passed on the same files. */
  readonly unsteady: { readonly failed: number; readonly passed: number } | null;
}

/** Whether a pass proves that the work was done; null: unknown. */
export function provenBy({ command }: GateEvidence): "yes" | "no" | null {
  return alwaysPasses(command) ? "no" : null;
}

/** `red before, green after, red without src/parser.ts`; empty where nothing is known. */
export function evidenceInWords(evidence: GateEvidence): string {
  const { command, changes_files, unsteady } = evidence;
  const proven = provenBy(evidence);
  return [
    ...(alwaysPasses(command) ? ["always passes"] : []),
    ...(proven === null ? [] : [`proven: ${proven}`]),
    ...(changes_files ? ["changes the files that it checks"] : []),
    ...(unsteady
      ? [`failed (#${unsteady.failed}), then passed (#${unsteady.passed}) on the same files`]
      : []),
  ].join(", ");
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
