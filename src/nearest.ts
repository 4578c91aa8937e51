import { editDistance } from "./events/edit-distance.ts";

/** The name that was meant by a misspelt one, if there is one so near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_ ]/g, "");
  const distances = names.map((known) => ({ known, far: editDistance(plain(known), plain(name)) }));
  const [best] = distances.sort((a, b) => a.far - b.far);
  return best && best.far <= Math.min(2, Math.floor(name.length / 2)) ? best.known : undefined;
}
