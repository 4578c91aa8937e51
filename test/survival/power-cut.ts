import type { Random } from "../../bench/lib/random.ts";
import type { Operation } from "./disk-trace.ts";

/**
 * What a disk may hold if the power goes after these operations.
 *
 * It is a disk as POSIX allows it. A file holds what was written before its last fsync; of what came later each write
 * may be there, missing, or there in part, in any order. So it is with the folder: only an fsync of the folder makes
 * sure that a name was made or removed, and the names do not wait for each other. ext4 and its like are kinder (an fsync
 * of a new file keeps its name too, and names change in order); what survives here survives there.
 *
 * Two things are sure, as they are on the disks that SQLite is made for: a sector of 512 bytes is written whole or not
 * at all, and the bytes beside a write stay as they were.
 */
export function cutPower(operations: readonly Operation[], random: Random): Files {
  const files = new Map<string, Buffer>();
  for (const [name, states] of replay(operations)) {
    const file = states[random.below(states.length)];
    if (!file) continue;
    const synced = file.changes.slice(0, file.synced);
    files.set(name, contentOf([...synced, ...survivors(file.changes.slice(file.synced), random)]));
  }
  return files;
}

/** What the files hold after all operations if the power stays on. */
export function withoutCut(operations: readonly Operation[]): Files {
  const files = new Map<string, Buffer>();
  for (const [name, states] of replay(operations)) {
    const file = states.at(-1);
    if (file) files.set(name, contentOf(file.changes));
  }
  return files;
}

/** The content of each file, by its name. */
export type Files = ReadonlyMap<string, Buffer>;

type Change = Extract<Operation, { kind: "write" | "truncate" }>;

interface File {
  readonly changes: Change[];
  /** How many of the changes came before the last fsync. */
  synced: number;
}

/** What a name stands for: first the state that is sure, then each that has followed; undefined where there is no file. */
type States = (File | undefined)[];

function replay(operations: readonly Operation[]): Map<string, States> {
  const folder = new Map<string, States>();
  const statesOf = (name: string): States => {
    const states = folder.get(name) ?? [undefined];
    folder.set(name, states);
    return states;
  };
  for (const operation of operations) {
    switch (operation.kind) {
      case "create":
        statesOf(operation.file).push({ changes: [], synced: 0 });
        break;
      case "unlink":
        statesOf(operation.file).push(undefined);
        break;
      case "write":
      case "truncate":
        statesOf(operation.file).at(-1)?.changes.push(operation);
        break;
      case "sync": {
        const file = statesOf(operation.file).at(-1);
        if (file) file.synced = file.changes.length;
        break;
      }
      case "sync-folder":
        for (const states of folder.values()) states.splice(0, states.length - 1);
    }
  }
  return folder;
}

/** Which of the changes that no fsync has followed reach the disk; each file has a fate of its own. */
function survivors(changes: readonly Change[], random: Random): Change[] {
  const fate = random.below(5);
  const first = random.below(changes.length + 1);
  return changes.flatMap((change, index) => {
    switch (fate) {
      case 0:
        return [change];
      case 1:
        return [];
      case 2: // Any of them, so that later ones are there and earlier ones are not.
        return random.chance(1 / 2) ? [change] : [];
      case 3: // In order, up to one that is torn.
        return index < first ? [change] : index === first ? tear(change, random) : [];
      default:
        return [() => [change], () => [], () => tear(change, random)][random.below(3)]?.() ?? [];
    }
  });
}

/** Parts of a write: the first sectors or pages, the last ones, or any. The file is as long as after the whole. */
function tear(change: Change, random: Random): Change[] {
  if (change.kind === "truncate") return [];
  const { file, position, data } = change;
  const unit = random.chance(1 / 2) ? 512 : 4096;
  const way = random.below(3);
  const middle = position + random.below(data.length);
  const parts: Change[] = [{ kind: "write", file, position: position + data.length, data: Buffer.alloc(0) }];
  for (let start = position; start < position + data.length; ) {
    const end = Math.min(start - (start % unit) + unit, position + data.length);
    const survives = way === 0 ? end <= middle : way === 1 ? start > middle : random.chance(1 / 2);
    if (survives) {
      parts.push({
        kind: "write",
        file,
        position: start,
        data: data.subarray(start - position, end - position),
      });
    }
    start = end;
  }
  return parts;
}

/** Where nothing was written a file holds zeros. */
function contentOf(changes: readonly Change[]): Buffer {
  const longest = changes.reduce((end, change) => Math.max(end, endOf(change)), 0);
  const content = Buffer.alloc(longest);
  let size = 0;
  for (const change of changes) {
    if (change.kind === "write") {
      change.data.copy(content, change.position);
      size = Math.max(size, endOf(change));
    } else {
      content.fill(0, change.size);
      size = change.size;
    }
  }
  return content.subarray(0, size);
}

function endOf(change: Change): number {
  return change.kind === "write" ? change.position + change.data.length : change.size;
}
