import { configVariables, type GitOptions, git } from "./git.ts";

/**
 * Variables that keep git from running a program named by the repository: disables filters,
 * replaces merge drivers by git's own merge, and turns off signing, fetching and background
 * maintenance. So files count as they are on disk.
 *
 * @throws GitError
 */
export async function withoutPrograms(
  top: string,
  signal?: GitOptions["signal"],
): Promise<Record<string, string>> {
  const listed = await git(top, ["config", "--null", "--name-only", "--list"], { signal });
  const names = listed.split("\0");
  const sections = (kind: string) =>
    new Set(
      names
        .filter((name) => name.startsWith(`${kind}.`) && name.lastIndexOf(".") > kind.length)
        .map((name) => name.slice(0, name.lastIndexOf("."))),
    );
  const settings = [
    ...[...sections("filter")].flatMap((filter) => [
      [`${filter}.clean`, ""],
      [`${filter}.smudge`, ""],
      [`${filter}.process`, ""],
      [`${filter}.required`, "false"],
    ]),
    ...[...sections("merge")].map((driver) => [`${driver}.driver`, TEXT_MERGE]),
    // Options that change how a branch, or all, are merged, even with a custom program.
    ...names.filter((name) => /^branch\..*\.mergeoptions$/.test(name)).map((name) => [name, ""]),
    ["pull.twohead", "ort"],
    ["merge.ff", "true"],
    ["merge.verifySignatures", "false"],
    ["rebase.rebaseMerges", "false"],
    ["rebase.updateRefs", "false"],
    ["commit.gpgSign", "false"],
    ["rebase.autoStash", "false"],
    ["submodule.recurse", "false"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
  ];
  return {
    ...configVariables(settings),
    // In a partial clone, git would fetch missing objects with a program named by the remote.
    GIT_NO_LAZY_FETCH: "1",
    // What is checked is what is merged: a replacement would be seen in its place.
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
  };
}

/**
 * An empty driver would silently take our side; a status above 128, as for binary files, would
 * abort the whole merge.
 */
const TEXT_MERGE = "git merge-file --marker-size=%L %A %O %B || exit 1";
