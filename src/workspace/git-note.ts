import { git } from "./git.ts";

/** Where our notes are kept: beside commits, changing none. */
const REF = "refs/notes/signalbox";

/** The note on a commit, with its end of line; empty where there is none. */
export async function readGitNote(folder: string, commit: string): Promise<string> {
  const notes = await git(folder, ["notes", `--ref=${REF}`, "list"]);
  if (!notes.split("\n").some((line) => line.endsWith(` ${commit}`))) return "";
  return git(folder, ["notes", `--ref=${REF}`, "show", commit]);
}

/** All notes of ours, parted by empty lines; empty where there is none. */
export async function readGitNotes(folder: string): Promise<string> {
  const notes = await git(folder, ["notes", `--ref=${REF}`, "list"]);
  const ids = notes.split("\n").flatMap((line) => line.split(" ")[0] || []);
  if (ids.length === 0) return "";
  // With nothing to say of each blob, an empty line comes before it, and a line end behind.
  return git(folder, ["cat-file", "--batch="], { input: ids.map((id) => `${id}\n`).join("") });
}

/** Adds a paragraph to the note on a commit. @throws GitError */
export async function addGitNote(folder: string, commit: string, text: string): Promise<void> {
  await git(folder, ["notes", `--ref=${REF}`, "append", "-m", text, commit]);
}

/** The commit that is checked out. @throws GitError: there is none, or no repository */
export async function currentCommit(folder: string): Promise<string> {
  return (await git(folder, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
}
