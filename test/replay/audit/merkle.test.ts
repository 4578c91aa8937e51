import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  isIncluded,
  type LeafRange,
  MerkleTree,
} from "../../../src/lib/merkle.ts";

const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash("sha256").update(Buffer.concat(parts)).digest();
const hex = (bytes: Buffer) => bytes.toString("hex");
const leafOf = (data: Buffer) => sha256(Buffer.from([0x00]), data);

function rootOf(
  leaves: readonly Buffer[],
  { start, end }: LeafRange = { start: 0, end: leaves.length },
): Buffer {
  const tree = new MerkleTree();
  for (const leaf of leaves.slice(start, end)) tree.add(leaf);
  return tree.root();
}
const inclusionOf = (leaves: readonly Buffer[], index: number, size = leaves.length) =>
  inclusionRanges(index, size).map((range) => rootOf(leaves, range));
const consistencyOf = (leaves: readonly Buffer[], first: number, second = leaves.length) =>
  consistencyRanges(first, second).map((range) => rootOf(leaves, range));

/** The eight leaves of the Certificate Transparency reference implementation (merkle_tree_test.cc). */
const published = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
].map((data) => leafOf(Buffer.from(data, "hex")));
const PUBLISHED_ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

test.each(PUBLISHED_ROOTS.map((root, size) => [size, root] as const))(
  "the published leaves 1 to %i have the published root",
  (size, root) => {
    expect(hex(rootOf(published, { start: 0, end: size }))).toBe(root);
  },
);

test.each([
  [
    1,
    8,
    [
      "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
  ],
  [
    6,
    8,
    [
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
  ],
  [3, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
  [
    2,
    5,
    [
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
  ],
] as const)("the inclusion proof of the published leaf %i of %i is the published one", (leaf, size, path) => {
  expect(inclusionOf(published, leaf - 1, size).map(hex)).toEqual(path);
});

test.each([
  [1, 1, []],
  [
    1,
    8,
    [
      "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
  ],
  [
    6,
    8,
    [
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
  ],
  [
    2,
    5,
    [
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
  ],
] as const)(
  "the consistency proof of the published trees of %i and %i leaves is the published one",
  (first, second, path) => {
    expect(consistencyOf(published, first, second).map(hex)).toEqual(path);
  },
);

const LEAVES = 64;
const leaves = Array.from({ length: LEAVES }, (_, index) => leafOf(Buffer.from(`leaf ${index}`)));
const roots = Array.from({ length: LEAVES + 1 }, (_, size) => rootOf(leaves, { start: 0, end: size }));
const rootAt = (size: number) => roots[size] ?? Buffer.alloc(0);
const leafAt = (index: number) => leaves[index] ?? Buffer.alloc(0);

/** MTH as §2.1 defines it, in its own words. */
function definedRoot(data: readonly Buffer[]): Buffer {
  const [only] = data;
  if (!only) return sha256();
  if (data.length === 1) return only;
  let k = 1;
  while (k * 2 < data.length) k *= 2;
  return sha256(Buffer.from([0x01]), definedRoot(data.slice(0, k)), definedRoot(data.slice(k)));
}

test("a tree that grew leaf by leaf has the root that the RFC defines, at every size to 64", () => {
  for (let size = 0; size <= LEAVES; size++) expect(rootAt(size)).toEqual(definedRoot(leaves.slice(0, size)));
});

/** Inclusion as RFC 9162, §2.1.3.2, verifies it: by shifting bits, otherwise than our way. */
function verifiedOtherwise(
  leaf: Buffer,
  index: number,
  size: number,
  path: readonly Buffer[],
  root: Buffer,
): boolean {
  let [fn, sn, node] = [index, size - 1, leaf];
  for (const step of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      node = sha256(Buffer.from([0x01]), step, node);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else node = sha256(Buffer.from([0x01]), node, step);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && node.equals(root);
}

test("every inclusion proof of every tree to 64 leaves holds, for its own leaf and no other", () => {
  for (let size = 1; size <= LEAVES; size++) {
    for (let index = 0; index < size; index++) {
      const path = inclusionOf(leaves, index, size);
      expect(isIncluded(leafAt(index), index, size, path, rootAt(size))).toBe(true);
      expect(verifiedOtherwise(leafAt(index), index, size, path, rootAt(size))).toBe(true);
      expect(isIncluded(leafAt((index + 1) % LEAVES), index, size, path, rootAt(size))).toBe(false);
      for (let other = 0; other < size; other++) {
        if (other !== index) expect(isIncluded(leafAt(index), other, size, path, rootAt(size))).toBe(false);
      }
    }
  }
});

test("every consistency proof between trees to 64 leaves holds, and for no other sizes", () => {
  for (let second = 0; second <= LEAVES; second++) {
    for (let first = 0; first <= second; first++) {
      const path = consistencyOf(leaves, first, second);
      expect(isConsistent(first, second, path, rootAt(first), rootAt(second))).toBe(true);
      for (const other of [first - 1, first + 1]) {
        expect(isConsistent(other, second, path, rootAt(first), rootAt(second))).toBe(false);
        if (path.length > 0)
          expect(isConsistent(other, second, path, rootAt(other), rootAt(second))).toBe(false);
      }
    }
  }
});

const change = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: fc.nat(), bit: fc.nat(255) }),
  fc.record({ kind: fc.constant("drop" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("double" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("swap" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("add" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("shorten" as const), at: fc.nat() }),
);
type Change = typeof change extends fc.Arbitrary<infer Kind> ? Kind : never;

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

function mutated(path: readonly Buffer[], how: Change): Buffer[] {
  const at = path.length === 0 ? 0 : how.at % path.length;
  const [before, one, after] = [path.slice(0, at), path[at], path.slice(at + 1)];
  if (how.kind === "add" || !one) return [...before, leafAt(how.at % LEAVES), ...path.slice(at)];
  if (how.kind === "drop") return [...before, ...after];
  if (how.kind === "double") return [...before, one, one, ...after];
  if (how.kind === "flip") return [...before, flipped(one, how.bit), ...after];
  if (how.kind === "shorten") return [...before, one.subarray(1), ...after];
  const [next, ...rest] = after;
  return next ? [...before, next, one, ...rest] : [...before, flipped(one, 0)];
}

const sizes = fc
  .tuple(fc.integer({ min: 1, max: LEAVES }), fc.integer({ min: 1, max: LEAVES }))
  .map(([one, two]) => ({ first: Math.min(one, two), second: Math.max(one, two) }));

test("no inclusion proof holds that was changed in any way", () => {
  fc.assert(
    fc.property(sizes, change, fc.nat(255), ({ first, second }, how, bit) => {
      const [index, size] = [first - 1, second];
      const path = inclusionOf(leaves, index, size);
      expect(isIncluded(leafAt(index), index, size, mutated(path, how), rootAt(size))).toBe(false);
      expect(isIncluded(flipped(leafAt(index), bit), index, size, path, rootAt(size))).toBe(false);
      expect(isIncluded(leafAt(index), index, size, path, flipped(rootAt(size), bit))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("no consistency proof holds that was changed in any way", () => {
  fc.assert(
    fc.property(sizes, change, fc.nat(255), ({ first, second }, how, bit) => {
      const path = consistencyOf(leaves, first, second);
      expect(isConsistent(first, second, mutated(path, how), rootAt(first), rootAt(second))).toBe(false);
      expect(isConsistent(first, second, path, flipped(rootAt(first), bit), rootAt(second))).toBe(false);
      expect(isConsistent(first, second, path, rootAt(first), flipped(rootAt(second), bit))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("an invalid size, index or hash proves nothing, and does not throw", () => {
  const root = rootAt(8);
  for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
    expect(isIncluded(leafAt(0), wrong, 8, [], root)).toBe(false);
    expect(isIncluded(leafAt(0), 0, wrong, [], root)).toBe(false);
    expect(isConsistent(wrong, 8, [], root, root)).toBe(false);
    expect(isConsistent(8, wrong, [], root, root)).toBe(false);
  }
  expect(isIncluded(leafAt(0), 0, 0, [], leafAt(0))).toBe(false);
  expect(isIncluded(Buffer.alloc(31), 0, 1, [], Buffer.alloc(31))).toBe(false);
  expect(isConsistent(0, 8, [], rootAt(1), root)).toBe(false);
});

test("a tree of 2^40 leaves has proofs of at most 41 hashes", () => {
  const size = 2 ** 40 + 1;
  expect(inclusionRanges(12_345_678_901, size)).toHaveLength(41);
  expect(inclusionRanges(size - 1, size)).toEqual([{ start: 0, end: 2 ** 40 }]);
  expect(consistencyRanges(2 ** 40, size)).toEqual([{ start: 2 ** 40, end: size }]);
});
