import { extname, join } from "node:path";
import { parsedJson } from "../../lib/json.ts";
import { splitNul, tryGit } from "../../workspace/git.ts";
import { readRegular } from "../../workspace/regular-file.ts";

/** What a planner should know of a repository before it reads a file. */
export interface RepositoryFacts {
  /** All files that git tracks, or none without git. */
  readonly files: readonly string[];
  /** The beginning of the README; empty without one. */
  readonly readme: string;
  /** Folders and files to two levels, with how many files are below each folder. */
  readonly tree: readonly string[];
  /** File endings, the most frequent first: `.ts 210`. */
  readonly languages: readonly string[];
  /** The commands that build and test it, with where each is from. */
  readonly commands: readonly { readonly command: string; readonly from: string }[];
}

/** Looks at a project's folder; whatever cannot be read is left out. */
export async function lookAtRepository(folder: string): Promise<RepositoryFacts> {
  const files = splitNul((await tryGit(folder, ["ls-files", "-z"])) ?? "").filter(
    (path) => !path.startsWith(".ralph/"),
  );
  const readme = files.find((path) => /^readme(\.|$)/i.test(path));
  return {
    files,
    readme: readme === undefined ? "" : textOf(folder, readme).slice(0, README_LENGTH),
    tree: treeOf(files),
    languages: languagesOf(files),
    commands: COMMANDS.flatMap(({ file, in: commandsIn }) =>
      files
        .filter((path) => file.test(path))
        .slice(0, MOST_FILES)
        .flatMap((path) => commandsIn(textOf(folder, path)).map((command) => ({ command, from: path }))),
    ).slice(0, MOST_COMMANDS),
  };
}

const README_LENGTH = 4_000;
const MOST_FILES = 5;
const MOST_COMMANDS = 40;
const MOST_LINES = 150;

function textOf(folder: string, path: string): string {
  try {
    return readRegular(join(folder, path))?.toString("utf8").slice(0, TEXT_LIMIT) ?? "";
  } catch {
    return "";
  }
}

const TEXT_LIMIT = 200_000;

function treeOf(files: readonly string[]): string[] {
  const below = new Map<string, number>();
  for (const path of files) {
    const parts = path.split("/");
    for (const depth of [1, 2]) {
      const isFile = parts.length === depth;
      const name = parts.slice(0, depth).join("/") + (isFile ? "" : "/");
      if (parts.length >= depth) below.set(name, (below.get(name) ?? 0) + 1);
    }
  }
  const lines = [...below].sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = lines
    .slice(0, MOST_LINES)
    .map(([name, count]) => (name.endsWith("/") ? `${name} (${count})` : name));
  return lines.length > shown.length ? [...shown, `… and ${lines.length - shown.length} more`] : shown;
}

function languagesOf(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of files) {
    const ending = extname(path).toLowerCase();
    if (ending !== "") counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([ending, count]) => `${ending} ${count}`);
}

/** Where projects say how they are built and tested. */
const COMMANDS: readonly { readonly file: RegExp; in(text: string): string[] }[] = [
  { file: /^package\.json$/, in: npmScripts },
  { file: /^(GNU)?[Mm]akefile$/, in: (text) => targets(text).map((target) => `make ${target}`) },
  { file: /^\.?justfile$/i, in: (text) => targets(text).map((target) => `just ${target}`) },
  {
    file: /^(pyproject\.toml|setup\.cfg|tox\.ini)$/,
    in: (text) => (/pytest/.test(text) ? ["python -m pytest"] : []),
  },
  { file: /^Cargo\.toml$/, in: () => ["cargo test"] },
  { file: /^go\.mod$/, in: () => ["go test ./..."] },
  { file: /^\.github\/workflows\/[^/]+\.ya?ml$|^\.gitlab-ci\.yml$/, in: stepsOfCi },
];

function npmScripts(text: string): string[] {
  const { scripts } = (parsedJson(text) ?? {}) as { readonly scripts?: unknown };
  if (typeof scripts !== "object" || scripts === null) return [];
  const names = Object.keys(scripts).filter((name) => /test|lint|check|build|typecheck/.test(name));
  return names.map((name) => (name === "test" ? "npm test" : `npm run ${name}`));
}

function targets(text: string): string[] {
  const names = [...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?!=)/gm)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => /test|lint|check|build/.test(name));
}

/** The one-line steps of a workflow that test. */
function stepsOfCi(text: string): string[] {
  const lines = [
    ...text.matchAll(
      /^\s*-?\s*(?:run|script)?:?\s*-?\s*((?:npm|pnpm|yarn|bun|make|just|cargo|go|python|pytest|tox|gradle|\.\/gradlew|mvn)\s[^\n]*)$/gm,
    ),
  ];
  return lines.map(([, line = ""]) => line.trim()).filter((line) => /test|check|lint/.test(line));
}
