/** The name that was meant by a misspelt one, if there is one so near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const distances = names.map((known) => ({ known, far: distance(plain(known), plain(name)) }));
  const [best] = distances.sort((a, b) => a.far - b.far);
  return best && best.far <= limitFor(name) ? best.known : undefined;
}

/** What to add to a refusal of a name, such as ` Did you mean "jobs"?`; empty where none is near. */
export function didYouMean(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

/** Half of a short word's letters make another word of it: "done" is not what "nope" means. */
function limitFor({ length }: string): number {
  return length > 5 ? 2 : Math.floor(length / 3);
}

/** Two letters that changed places, as in "jbos", are one slip. */
function distance(a: string, b: string): number {
  const far = editDistance(a, b);
  return far === 2 && sorted(a) === sorted(b) ? 1 : far;
}

/** How many letters must be changed, added or left out to make `b` of `a` (Levenshtein); 3 for more than 2 at sight. */
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
