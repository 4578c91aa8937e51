/*
 * An interval tree over the positions of a log, stored in columns (Kriegel, Pötke, Seidl: Managing
 * Intervals Efficiently in Object-Relational Databases, VLDB 2000). Each position is a node of a
 * binary tree; its height is how often two divides it. An interval belongs to its highest node. The
 * intervals that contain a position belong to the nodes between that position and the root: 20
 * nodes at a million events.
 */

/** The node of current row versions: their end is not known yet. */
export const OPEN = 0;

/** The end of a current row version. */
export const FOR_EVER = Number.MAX_SAFE_INTEGER;

/**
 * @returns the highest node from `from` to `last`, both included: the number that two divides most
 * often
 */
export function nodeOf(from: number, last: number): number {
  let step = 1;
  while (Math.floor(last / (step * 2)) * step * 2 >= from) step *= 2;
  return Math.floor(last / step) * step;
}

/**
 * @returns the nodes, up to `head`, of all intervals that can contain `position`; `OPEN` comes
 * first
 */
export function nodesOver(position: number, head: number): number[] {
  const nodes = [OPEN];
  if (position < 1) return nodes;
  for (let step = 1; step <= head; step *= 2) {
    const node = Math.floor(position / (step * 2)) * step * 2 + step;
    // Otherwise `position` is at least as high as the node's parent, and not below it.
    if (node <= head && position > node - step) nodes.push(node);
  }
  return nodes;
}
