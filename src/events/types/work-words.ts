import { counted } from "../../lib/readable.ts";

/*
 * A session's work in words, the same everywhere. Kept apart from the schemas, since the panel's page does not load those.
 */

interface Did {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly commits: number;
  /** Those outside the task's `output_artifacts`. */
  readonly outside: readonly string[];
}

interface Found {
  readonly kind: string;
  readonly says: string;
}

/** `3 files, +120 −4, 2 commits; left behind: none`. */
export function workInWords({ findings, ...did }: Did & { readonly findings: readonly Found[] }): string {
  return `${didInWords(did)}; ${findings.length === 0 ? "left behind: none" : findings.map(findingInWords).join(" ")}`;
}

/** `3 files, +120 −4, 2 commits, outside its output artifacts: a.txt`. */
export function didInWords({ files, added, removed, commits, outside }: Did): string {
  const stray = outside.length === 0 ? "" : `, ${outsideInWords(outside)}`;
  return `${counted(files, "file")}, +${added} −${removed}, ${counted(commits, "commit")}${stray}`;
}

/** `outside its output artifacts: a.txt, b.txt`, with the first few names. */
export function outsideInWords(paths: readonly string[]): string {
  return `outside its output artifacts: ${named(paths)}`;
}

/** The first names, and how many more there are. */
export function named(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const NAMED = 3;

/** `left behind: a.txt is in a stash: …` */
export function findingInWords({ kind, says }: Found): string {
  return `${kindsInWords([kind])}: ${says}`;
}

/** `left behind, no change` */
export function kindsInWords(kinds: readonly string[]): string {
  return kinds.map((kind) => kind.replace("_", " ")).join(", ");
}
