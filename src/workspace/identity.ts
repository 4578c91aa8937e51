import { AUTHOR } from "../lib/author.ts";
import { tryGit } from "./git.ts";

/**
 * The variables for a commit's identity: git's configured user, or a fixed one; the author can be
 * configured.
 *
 * @param author `Name <address>`; absent: the committer
 */
export async function identity(folder: string, author?: string): Promise<Record<string, string>> {
  const [name, email] = await Promise.all(
    ["user.name", "user.email"].map(async (key) => (await tryGit(folder, ["config", "--get", key]))?.trim()),
  );
  const known = name && email ? { name, email } : FIXED;
  const [, authorName = known.name, authorEmail = known.email] = AUTHOR.exec(author ?? "") ?? [];
  return {
    GIT_COMMITTER_NAME: known.name,
    GIT_COMMITTER_EMAIL: known.email,
    GIT_AUTHOR_NAME: authorName,
    GIT_AUTHOR_EMAIL: authorEmail,
  };
}

const FIXED = { name: "signalbox", email: "signalbox@localhost" };
