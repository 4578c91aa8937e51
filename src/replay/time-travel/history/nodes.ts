/*
 * An interval tree over the positions of a log, kept in columns (Kriegel, Pötke, Seidl: Managing Intervals Efficiently in
 * Object-Relational Databases, VLDB 2000). Each position is a node of a binary tree, as high up as it is divisible by two. An
 * interval belongs to the highest node in it. What holds at a position belongs to one of the nodes on the way to it from the
 * root: 20 at a million events.
 */

/** The node of row versions that hold still: no one knows yet where they end. */
export const OPEN = 0;

/** Where a row version ends that holds still. */
export const FOR_EVER = Number.MAX_SAFE_INTEGER;

/** @returns the highest node from `from` to `last`, both included: the one that two divides most often */
export function nodeOf(from: number, last: number): number {
  let step = 1;
  while (Math.floor(last / (step * 2)) * step * 2 >= from) step *= 2;
  return Math.floor(last / step) * step;
}

/** @returns the nodes, up to `head`, to which an interval may belong that `position` is in; `OPEN` is the first of them */
export function nodesOver(position: number, head: number): number[] {
  const nodes = [OPEN];
  if (position < 1) return nodes;
  for (let step = 1; step <= head; step *= 2) {
    const node = Math.floor(position / (step * 2)) * step * 2 + step;
    // Else `position` is as high up as the node's father, or higher, and not below it.
    if (node <= head && position > node - step) nodes.push(node);
  }
  return nodes;
}
