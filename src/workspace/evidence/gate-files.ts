import { posix } from "node:path";
import { parsedJson } from "../../lib/json.ts";

/** What decides whether a gate passes, as far as its command line tells: files, and what they say under a name. */
export interface Watched {
  /** Relative to the top of the repository. */
  readonly path: string;
  /** A script of package.json, or a target of a Makefile or justfile; absent: all of the file. */
  readonly script?: string;
}

/** A file's text as it was when the work began; undefined where there was none. */
export type TextOf = (path: string) => Promise<string | undefined>;

/**
 * The files that a gate's command line names, the scripts that it runs, and the files that those name in their turn. What it only
 * looks at by grep, test or the like is its object, not what decides. A miss is better than a false alarm: the shell is not read in full.
 *
 * @param folder in which it runs, relative to the top of the repository
 */
export async function watchedBy(command: string, folder: string, textOf: TextOf): Promise<Watched[]> {
  const found = new Map<string, Watched>();
  await follow(command, folder, DEPTH);
  return [...found.values()];

  async function follow(line: string, from: string, depth: number): Promise<void> {
    let at = from;
    for (const words of simpleCommands(line)) {
      const [program = "", ...rest] = words;
      if (program === "cd" && rest[0] !== undefined) {
        at = posix.join(at, rest[0]);
        continue;
      }
      // `sh -c "npm test"`
      for (const word of words) if (/\s/.test(word) && depth > 0) await follow(word, at, depth - 1);
      if (!LOOKS_AT.has(program)) for (const word of words) watch({ path: pathIn(at, word) });
      for (const one of scriptsOf(program, rest)) {
        const path = pathIn(at, one.file);
        if (!watch({ path, script: one.script }) || depth === 0) continue;
        for (const text of scriptIn(path, one.script, (await textOf(path)) ?? "") ?? [])
          await follow(text, at, depth - 1);
      }
    }
  }

  function watch(one: Watched): boolean {
    const key = `${one.path}\0${one.script ?? ""}`;
    if (found.has(key) || found.size === MOST) return false;
    found.set(key, one);
    return true;
  }
}

/** How far scripts that run scripts are followed, and how much is watched in all. */
const DEPTH = 5;
const MOST = 500;

/**
 * What a file says under a name: the lines of a script or a recipe, with what runs before and after it. Undefined where it has none.
 *
 * @param script empty: the first target
 */
export function scriptIn(path: string, script: string, text: string): readonly string[] | undefined {
  if (posix.basename(path) === "package.json") {
    const scripts = (parsedJson(text) as { readonly scripts?: Readonly<Record<string, unknown>> } | undefined)
      ?.scripts;
    const found = ["pre", "", "post"].flatMap((when) => {
      const line = scripts?.[`${when}${script}`];
      return typeof line === "string" ? [line] : [];
    });
    return found.length === 0 ? undefined : found;
  }
  return recipeIn(text, script);
}

/** Of a Makefile or a justfile, with the recipes on which it depends. */
function recipeIn(text: string, target: string): readonly string[] | undefined {
  const recipes = new Map<string, string[]>();
  let open: string[] = [];
  for (const line of text.split("\n")) {
    const [, names, needs] = /^@?([\w./%-][\w./% -]*?)(?:\s+[^:=]*)?:(?![=])([^=]*)$/.exec(line) ?? [];
    if (names !== undefined) {
      open = [needs ?? ""];
      for (const name of names.split(/\s+/)) recipes.set(name, open);
    } else if (/^\s+\S/.test(line)) open.push(line.trim().replace(/^[@-]+/, ""));
    else if (line.trim() !== "" && !line.startsWith("#")) open = [];
  }
  const first = [...recipes.keys()].find((name) => !name.startsWith("."));
  const wanted = [target === "" ? (first ?? "") : target];
  const lines: string[] = [];
  for (const name of wanted) {
    const [needs = "", ...recipe] = recipes.get(name) ?? [];
    lines.push(...recipe);
    for (const need of needs.split(/[\s|]+/))
      if (recipes.has(need) && !wanted.includes(need)) wanted.push(need);
  }
  return wanted.some((name) => recipes.has(name)) ? lines : undefined;
}

/** Words of the commands of a line; what a command line cannot be split into is left out. */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [, single, double, other, bare] of line.matchAll(WORD)) {
    if (other !== undefined) commands.push([]);
    else commands.at(-1)?.push(single ?? double ?? bare ?? "");
  }
  return commands.map(withoutPrefix).filter((words) => words.length > 0);
}

const WORD = /'([^']*)'|"((?:\\.|[^"\\])*)"|(&&|\|\|?|;|\n|&|\(|\))|([^\s'"&|;()<>]+)/g;

/** `CI=1 timeout 60 npx vitest run` is `vitest run`. */
function withoutPrefix(words: readonly string[]): string[] {
  const start = words.findIndex(
    (word) => !/^\w+=/.test(word) && !PREFIXES.has(word) && !/^(?:\d+[smh]?|-.*|!|\{)$/.test(word),
  );
  return start < 0 ? [] : words.slice(start);
}

const PREFIXES = new Set(
  "env time timeout nice exec command npx bunx cross-env sudo if then do while until else".split(" "),
);

/** These look at what a task makes. */
const LOOKS_AT = new Set(
  "test [ [[ grep egrep fgrep rg cat head tail wc ls stat file diff cmp jq sha256sum md5sum echo printf".split(
    " ",
  ),
);

const RUNNERS = new Set(["npm", "pnpm", "yarn", "bun"]);
const ALIASES: Readonly<Record<string, string>> = { t: "test", tst: "test" };

function scriptsOf(
  program: string,
  rest: readonly string[],
): { readonly file: string; readonly script: string }[] {
  const words = rest.filter((word) => !word.startsWith("-") && !word.includes("="));
  if (RUNNERS.has(program)) {
    const [verb = "", name = ""] = words;
    const script = /^run(?:-script)?$/.test(verb) ? name : (ALIASES[verb] ?? verb);
    return script === "" ? [] : [{ file: "package.json", script }];
  }
  const files = /^g?make$/.test(program)
    ? ["Makefile", "makefile", "GNUmakefile"]
    : ["justfile", "Justfile", ".justfile"];
  if (!/^(?:g?make|just)$/.test(program)) return [];
  return files.flatMap((file) => (words.length === 0 ? [""] : words).map((script) => ({ file, script })));
}

function pathIn(folder: string, word: string): string {
  // `--config=a.json`
  const name = /^--?[\w-]+=(.+)$/.exec(word)?.[1] ?? word;
  return posix.normalize(posix.join(folder, name));
}
