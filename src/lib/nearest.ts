import { editDistance } from "./edit-distance.ts";

/** The name that was meant by a misspelt one, if there is one so near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const distances = names.map((known) => ({ known, far: distance(plain(known), plain(name)) }));
  const [best] = distances.sort((a, b) => a.far - b.far);
  return best && best.far <= limitFor(name) ? best.known : undefined;
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

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_ ]/g, "");
}

function sorted(text: string): string {
  return [...text].sort().join("");
}
