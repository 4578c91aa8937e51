import { type GitOptions, git } from "./git.ts";

/**
 * The variables by which git, in a repository, calls no program that the repository names: filters are switched off, each by its
 * name, and nothing is fetched. So a file counts as it lies there.
 *
 * @throws GitError
 */
export async function withoutFilters(
  top: string,
  signal: GitOptions["signal"],
): Promise<Record<string, string>> {
  const names = await git(top, ["config", "--null", "--name-only", "--list"], { signal });
  const filters = new Set(
    names
      .split("\0")
      .filter((name) => name.startsWith("filter."))
      .map((name) => name.slice(0, name.lastIndexOf("."))),
  );
  const settings = [...filters].flatMap((filter) => [
    [`${filter}.clean`, ""],
    [`${filter}.process`, ""],
    [`${filter}.required`, "false"],
  ]);
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
  };
}
