import { type GitOptions, git } from "./git.ts";

/**
 * The variables by which git, in a repository, calls no program that the repository names: filters are switched off and merge
 * drivers replaced by git's own merge, each by its name; nothing is signed, fetched, or tidied up behind our back. So a file
 * counts as it lies there.
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
    // By these a branch, or all, would be merged in another way, also by a program of its own.
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
    // Not by `-c`, which takes a name up to its first `=`.
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name = "", value = ""], place) => [
        [`GIT_CONFIG_KEY_${place}`, name],
        [`GIT_CONFIG_VALUE_${place}`, value],
      ]),
    ),
    // Of a partial clone what is missing would be fetched, by whatever program its remote names.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
  };
}

/** An empty driver would take our side and say nothing; a status above 128, as for binary files, would end the whole merge. */
const TEXT_MERGE = "git merge-file --marker-size=%L %A %O %B || exit 1";
