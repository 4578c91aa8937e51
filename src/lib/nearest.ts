/** The name nearest to a misspelt one, if any is near enough. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const distances = names.map((known) => ({ known, far: distance(plain(known), plain(name)) }));
  const [best] = distances.sort((a, b) => a.far - b.far);
  return best && best.far <= limitFor(name) ? best.known : undefined;
}

/** A suffix for a refusal, such as ` Did you mean "jobs"?`; empty if no name is near. */
export function didYouMean(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

/** If half of a short word's letters differ, it is another word: "nope" does not mean "done". */
function limitFor({ length }: string): number {
  return length > 5 ? 2 : Math.floor(length / 3);
}

/** Two swapped letters, as in "jbos", count as one mistake. */
function distance(a: string, b: string): number {
  const far = editDistance(a, b);
  return far === 2 && sorted(a) === sorted(b) ? 1 : far;
}

/** The edit distance from `a` to `b` (Levenshtein); 3 as soon as it must exceed 2. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_ ]/g, "");
}

function sorted(text: string): string {
  return [...text].sort().join("");
}
