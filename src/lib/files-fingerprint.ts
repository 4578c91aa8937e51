import { hash } from "node:crypto";

/**
 * The fingerprint of a folder's files, by which a gate's pass knows for which it counts.
 *
 * @param tree git's id of the tree of all of them
 * @param states of the state files, where these count too (docs/rules.md, Stagnation)
 */
export function filesFingerprint(tree: string, states: readonly string[] = []): string {
  return hash("sha256", [tree, ...states].join("\n")).slice(0, 40);
}
