import { counted } from "../../lib/readable.ts";

/*
 * A session's work in words, the same everywhere. Kept apart from the schemas, since the panel's page does not load those.
 */

interface Did {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly commits: number;
}

interface Found {
  readonly kind: string;
  readonly says: string;
}

/** `3 files, +120 −4, 2 commits; left behind: none`. */
export function workInWords({ findings, ...did }: Did & { readonly findings: readonly Found[] }): string {
  return `${didInWords(did)}; ${findings.length === 0 ? "left behind: none" : findings.map(findingInWords).join(" ")}`;
}

/** `3 files, +120 −4, 2 commits`. */
export function didInWords({ files, added, removed, commits }: Did): string {
  return `${counted(files, "file")}, +${added} −${removed}, ${counted(commits, "commit")}`;
}

/** `left behind: a.txt is in a stash: …` */
export function findingInWords({ kind, says }: Found): string {
  return `${kindsInWords([kind])}: ${says}`;
}

/** `left behind, no change` */
export function kindsInWords(kinds: readonly string[]): string {
  return kinds.map((kind) => kind.replace("_", " ")).join(", ");
}
