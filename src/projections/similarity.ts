import { hash } from "node:crypto";

/**
 * When do two texts say the same? If their sets of words agree in at least 80 % (Jaccard), after letter case, code
 * marks and punctuation are set aside, and if they agree in every number and every negation: "retry 3 times" is not
 * "retry 5 times", "is safe" is not "is not safe".
 */
const SIMILARITY = 0.8;

/** A text of more words than this is only compared as a whole. */
const WORDS_LIMIT = 400;

export interface Fingerprint {
  /** Equal for texts that differ only in letter case, blanks and punctuation. */
  readonly digest: string;
  readonly words: ReadonlySet<string>;
  /** Stands for the numbers and negations, which must be the same. */
  readonly guard: string;
}

export function fingerprintOf(text: string): Fingerprint {
  const plain = text.normalize("NFKC").replaceAll("’", "'").toLowerCase();
  const all = plain.match(/[\p{L}\p{N}_]+(?:'[\p{L}]+)?/gu) ?? [];
  const words = new Set(all);
  const guard = [...words].filter((word) => /\p{N}/u.test(word) || NEGATIONS.has(word) || /n't$/.test(word));
  // A text without any word, all emoji or signs, is compared as it stands.
  const normalized = all.length > 0 ? all.join(" ") : text.trim();
  return {
    digest: hash("sha256", normalized),
    words,
    guard: hash("sha256", guard.sort().join(" ")).slice(0, 16),
  };
}

/** That of a text that was removed: similar to no other. */
export function fingerprintOfNothing(position: number): Fingerprint {
  return { digest: hash("sha256", `removed ${position}`), words: new Set(), guard: "" };
}

export function areSimilar(a: Fingerprint, b: Fingerprint): boolean {
  if (a.digest === b.digest) return true;
  if (a.guard !== b.guard || a.words.size === 0) return false;
  if (Math.max(a.words.size, b.words.size) > WORDS_LIMIT) return false;
  let shared = 0;
  for (const word of a.words) if (b.words.has(word)) shared += 1;
  return shared / (a.words.size + b.words.size - shared) >= SIMILARITY;
}

/**
 * A few words of a text of which every similar text has at least one among its own few: with n words in a fixed order,
 * the first n − ⌈0.8 n⌉ + 1 (the prefix filter of set similarity joins). Long words come first, being rare.
 */
export function probesOf({ words }: Fingerprint): string[] {
  if (words.size > WORDS_LIMIT) return [];
  const ordered = [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return ordered.slice(0, ordered.length - Math.ceil(SIMILARITY * ordered.length) + 1);
}

/**
 * Sizes in classes, each a quarter larger than the one before: texts that are similar are of the same class or of
 * neighbouring ones.
 */
export function sizeClass(size: number): number {
  return size === 0 ? 0 : Math.round(Math.log(size) / Math.log(1 / SIMILARITY));
}

/** The classes of texts that can be similar to one of `size` words. */
export function similarClasses(size: number): number[] {
  const least = sizeClass(Math.ceil(SIMILARITY * size));
  const most = sizeClass(Math.floor(size / SIMILARITY));
  return Array.from({ length: most - least + 1 }, (_, index) => least + index);
}

const NEGATIONS: ReadonlySet<string> = new Set([
  "no",
  "not",
  "never",
  "none",
  "nothing",
  "without",
  "cannot",
  "nor",
]);
