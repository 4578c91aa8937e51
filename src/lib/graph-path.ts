/**
 * A shortest path between two nodes of a graph, both included, or undefined if there is none. If
 * there is one, an edge from `to` to `from` would close a cycle.
 *
 * @param next the targets of a node's edges; called at most once per node
 */
export function findPath<Node>(
  from: Node,
  to: Node,
  next: (node: Node) => readonly Node[],
): readonly Node[] | undefined {
  const cameFrom = new Map<Node, Node>([[from, from]]);
  const queue = [from];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    if (node === to) return pathTo(node, cameFrom);
    for (const neighbour of next(node)) {
      if (cameFrom.has(neighbour)) continue;
      cameFrom.set(neighbour, node);
      queue.push(neighbour);
    }
  }
  return undefined;
}

function pathTo<Node>(end: Node, cameFrom: ReadonlyMap<Node, Node>): Node[] {
  const path = [end];
  for (let node = end; cameFrom.get(node) !== node; ) {
    node = cameFrom.get(node) ?? node;
    path.unshift(node);
  }
  return path;
}
