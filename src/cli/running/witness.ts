import { closeSync, existsSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { AuditError } from "../../history/audit/audit-error.ts";
import { type Checkpoint, readCheckpoints } from "../../history/audit/checkpoint.ts";
import { readBounded } from "../../history/audit/read-bounded.ts";
import { addGitNote, currentCommit, readGitNote, readGitNotes } from "../../workspace/git-note.ts";

/** Where heads are kept. */
export interface Witness {
  readonly name: string;
  /** All heads that the log must continue before one is added. */
  readonly earlier: readonly Checkpoint[];
  /** Those of them that are in the very place where one would be added. */
  readonly here: readonly Checkpoint[];
  /** Returns when the head is there and can be read. @throws AuditError `bad_head`; GitError; Error of the system */
  add(checkpoint: string): Promise<void>;
}

/**
 * A witness file, or the git note on the commit that is checked out.
 *
 * @param file absent: the git note
 * @param folder of the project
 * @throws AuditError `bad_head`, `too_large`; GitError; Error of the system
 */
export async function witnessAt(file: string | undefined, folder: string): Promise<Witness> {
  return file === undefined ? gitNote(folder) : witnessFile(resolve(file));
}

async function gitNote(folder: string): Promise<Witness> {
  const commit = await currentCommit(folder);
  return {
    name: `the git note on ${commit.slice(0, 12)}`,
    earlier: headsOf(await readGitNotes(folder)),
    here: headsOf(await readGitNote(folder, commit)),
    async add(checkpoint) {
      await addGitNote(folder, commit, checkpoint);
      checkAdded(checkpoint, await readGitNote(folder, commit), `the git note on ${commit}`);
    },
  };
}

function witnessFile(path: string): Witness {
  const content = existsSync(path) ? readBounded(path) : "";
  const heads = headsOf(content);
  return {
    name: path,
    earlier: heads,
    here: heads,
    async add(checkpoint) {
      appendSafely(path, content, checkpoint);
      checkAdded(checkpoint, readBounded(path), path);
    },
  };
}

/** None in an empty text. */
function headsOf(text: string): readonly Checkpoint[] {
  return text.trim() === "" ? [] : readCheckpoints(text);
}

/**
 * In one write, and on disk when it returns: what is kept must outlive the log. An empty line comes before and behind, so
 * that heads which two processes add to a new file at once are parted, too.
 */
function appendSafely(path: string, before: string, checkpoint: string): void {
  const parting = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const file = openSync(path, "a");
  try {
    writeFileSync(file, `${parting}${checkpoint}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function checkAdded(checkpoint: string, content: string, name: string): void {
  const [added] = readCheckpoints(checkpoint);
  if (headsOf(content).some(({ text }) => text === added?.text)) return;
  throw new AuditError("bad_head", `The head was written to ${name}, but is not there when read again.`);
}
