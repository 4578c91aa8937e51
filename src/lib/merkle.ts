import { hash } from "node:crypto";

/*
 * The Merkle tree of RFC 6962, §2.1, over leaf hashes that are made already. A tree of n > 1 leaves is split at k, the
 * largest power of two below n:
 *
 *        root              D[0:7], k = 4: the left part is whole and never changes again;
 *       /    \             what is appended grows the right part alone.
 *    D[0:4]  D[4:7]
 */

/** The leaves from `start` (inclusive) to `end` (exclusive), counted from 0. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** A tree that grows by single leaves; it stores one hash for each complete subtree, at most 53. */
export class MerkleTree {
  /** The roots of the complete subtrees, largest first: as many as `size` has ones in binary. */
  readonly #whole: Buffer[];
  #size: number;

  /** @param size of the tree to go on from, and the roots of its complete subtrees; absent: an empty one */
  constructor(size = 0, whole: readonly Buffer[] = []) {
    this.#size = size;
    this.#whole = [...whole];
  }

  /** The roots of its complete subtrees, largest first. */
  get whole(): readonly Buffer[] {
    return this.#whole;
  }

  get size(): number {
    return this.#size;
  }

  /** @param leaf 32 bytes: the hash of a leaf, not its content */
  add(leaf: Buffer): void {
    let node = leaf;
    for (let left = this.#size; left % 2 === 1; left = Math.floor(left / 2)) {
      const sibling = this.#whole.pop();
      if (sibling) node = nodeHash(sibling, node);
    }
    this.#whole.push(node);
    this.#size += 1;
  }

  /** MTH of all leaves added so far (§2.1); for none, the hash of an empty string. */
  root(): Buffer {
    return (
      this.#whole.reduceRight<Buffer | undefined>(
        (right, left) => (right ? nodeHash(left, right) : left),
        undefined,
      ) ?? EMPTY_ROOT
    );
  }
}

/**
 * PATH(index, D[size]) of §2.1.1: the ranges of leaves whose roots make an inclusion proof, in the
 * proof's order.
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  return turns(index, size)
    .map(({ sibling }) => sibling)
    .reverse();
}

/**
 * PROOF(first, D[second]) of §2.1.2: the ranges of leaves whose roots make a consistency proof, in
 * the proof's order.
 */
export function consistencyRanges(first: number, second: number): LeafRange[] {
  if (first === 0 || first === second) return [];
  const { steps, rest, isFirst } = descent(first, second);
  const ranges = steps.map(({ sibling }) => sibling).reverse();
  return isFirst ? ranges : [rest, ...ranges];
}

/**
 * Whether `path` proves that `leaf` is at `index` in the tree with `size` leaves and this root.
 * False for any other input; never throws.
 */
export function isIncluded(
  leaf: Buffer,
  index: number,
  size: number,
  path: readonly Buffer[],
  root: Buffer,
): boolean {
  if (!isSize(size) || !isSize(index) || index >= size || ![leaf, root, ...path].every(isHash)) return false;
  const ways = turns(index, size).reverse();
  if (ways.length !== path.length) return false;
  const reached = path.reduce<Buffer>(
    (node, sibling, step) => (ways[step]?.isLeft ? nodeHash(sibling, node) : nodeHash(node, sibling)),
    leaf,
  );
  return reached.equals(root);
}

/**
 * Whether `path` proves that the tree with `first` leaves and `firstRoot` is a prefix of the one
 * with `second` leaves and `secondRoot`. An empty tree is a prefix of every tree. False for any
 * other input; never throws.
 */
export function isConsistent(
  first: number,
  second: number,
  path: readonly Buffer[],
  firstRoot: Buffer,
  secondRoot: Buffer,
): boolean {
  if (!isSize(first) || !isSize(second) || first > second) return false;
  if (![firstRoot, secondRoot, ...path].every(isHash)) return false;
  if (first === second) return path.length === 0 && firstRoot.equals(secondRoot);
  if (first === 0) return path.length === 0 && firstRoot.equals(EMPTY_ROOT);
  const { steps, isFirst } = descent(first, second);
  const [start, ...siblings] = isFirst ? [firstRoot, ...path] : path;
  if (start === undefined || siblings.length !== steps.length) return false;
  let before = start;
  let after = start;
  for (const [index, { isLeft }] of steps.reverse().entries()) {
    const sibling = siblings[index];
    if (!sibling) return false;
    if (isLeft) before = nodeHash(sibling, before);
    after = isLeft ? nodeHash(sibling, after) : nodeHash(after, sibling);
  }
  return before.equals(firstRoot) && after.equals(secondRoot);
}

/** `sha256(0x01 ‖ left ‖ right)`. */
function nodeHash(left: Buffer, right: Buffer): Buffer {
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return Buffer.from(hash("sha256", node, "binary"), "binary");
}

const HASH_BYTES = 32;
const EMPTY_ROOT = hash("sha256", "", "buffer");
/** Reused for every node, so that a million nodes need no memory. */
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 0x01);

/** A step down the tree: the part not taken, and whether that is the left one. */
interface Turn {
  readonly sibling: LeafRange;
  readonly isLeft: boolean;
}

/** The path from the root to a leaf. */
function turns(index: number, size: number): Turn[] {
  const way: Turn[] = [];
  for (let part: LeafRange = { start: 0, end: size }; part.end - part.start > 1; ) {
    const { left, right } = split(part);
    const isLeft = index >= right.start;
    way.push({ sibling: isLeft ? left : right, isLeft });
    part = isLeft ? right : left;
  }
  return way;
}

/**
 * The path from the larger tree's root to the largest subtree that is complete in the smaller tree
 * and ends at its end. `isFirst`: that subtree is the smaller tree itself, whose root is known
 * (SUBPROOF's last argument).
 */
function descent(first: number, second: number): { steps: Turn[]; rest: LeafRange; isFirst: boolean } {
  const steps: Turn[] = [];
  let rest: LeafRange = { start: 0, end: second };
  while (rest.end !== first) {
    const { left, right } = split(rest);
    const isLeft = first > right.start;
    steps.push({ sibling: isLeft ? left : right, isLeft });
    rest = isLeft ? right : left;
  }
  return { steps, rest, isFirst: rest.start === 0 };
}

/** At the largest power of two that is smaller than the number of leaves. */
function split({ start, end }: LeafRange): { left: LeafRange; right: LeafRange } {
  let half = 1;
  while (2 * half < end - start) half *= 2;
  const middle = start + half;
  return { left: { start, end: middle }, right: { start: middle, end } };
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(bytes: Buffer): boolean {
  return bytes.length === HASH_BYTES;
}
