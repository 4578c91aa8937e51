import { expect, test } from "vitest";
import { findPath } from "../../src/lib/graph-path.ts";

/* Catches: a way that is none, a longer one, a walk that never ends in a circle or asks the same node again and again. */

const edges: Readonly<Record<string, readonly string[]>> = {
  a: ["b", "c", "d"],
  b: ["c"],
  c: ["e"],
  d: ["e"],
  e: ["f", "b"],
  f: [],
};

function ways(from: string, to: string) {
  const asked: string[] = [];
  const path = findPath(from, to, (node) => {
    asked.push(node);
    return edges[node] ?? [];
  });
  return { path, asked };
}

test.each([
  ["a", "f", ["a", "c", "e", "f"]],
  ["a", "a", ["a"]],
  ["b", "b", ["b"]],
  ["e", "c", ["e", "b", "c"]],
  ["f", "a", undefined],
  ["b", "d", undefined],
])("from %s to %s the shortest way is %j, and no node is asked twice", (from, to, expected) => {
  const { path, asked } = ways(from, to);
  expect(path).toEqual(expected);
  expect(asked).toEqual([...new Set(asked)]);
});
