import { git } from "./git.ts";

/** The ref of our notes: notes do not change their commits. */
const REF = "refs/notes/signalbox";

/** The note on a commit, with its line feed; empty if there is none. */
export async function readGitNote(folder: string, commit: string): Promise<string> {
  const notes = await git(folder, ["notes", `--ref=${REF}`, "list"]);
  if (!notes.split("\n").some((line) => line.endsWith(` ${commit}`))) return "";
  return git(folder, ["notes", `--ref=${REF}`, "show", commit]);
}

/** All of our notes, separated by empty lines; empty if there are none. */
export async function readGitNotes(folder: string): Promise<string> {
  const notes = await git(folder, ["notes", `--ref=${REF}`, "list"]);
  const ids = notes.split("\n").flatMap((line) => line.split(" ")[0] || []);
  if (ids.length === 0) return "";
  // Without a header per blob, an empty line comes before it, and a line feed after it.
  return git(folder, ["cat-file", "--batch="], { input: ids.map((id) => `${id}\n`).join("") });
}

/** Adds a paragraph to the note on a commit. @throws GitError */
export async function addGitNote(folder: string, commit: string, text: string): Promise<void> {
  await git(folder, ["notes", `--ref=${REF}`, "append", "-m", text, commit]);
}

/** The commit that is checked out. @throws GitError: no commit or no repository */
export async function currentCommit(folder: string): Promise<string> {
  return (await git(folder, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
}
