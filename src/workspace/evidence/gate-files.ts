import { posix } from "node:path";
import { parsedJson } from "../../lib/json.ts";
import { isCode, isTest } from "./weaker-tests.ts";

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
 * The files that a gate's command line names, the scripts that it runs, and the files that those name in their turn. Code that it
 * compiles, checks or runs for its output is what the task makes, and tests are looked at by what they assert. A miss is better than a
 * false alarm: the shell is not read in full.
 *
 * @param folder in which it runs, relative to the top of the repository
 */
export async function watchedBy(command: string, folder: string, textOf: TextOf): Promise<Watched[]> {
  const found = new Map<string, Watched>();
  await follow(command, folder, DEPTH);
  return [...found.values()];

  async function follow(line: string, from: string, depth: number): Promise<void> {
    let at = from;
    for (const { words, isLookedAt } of simpleCommands(line)) {
      const [program = "", ...rest] = words;
      if (program === "cd" && rest[0] !== undefined) {
        at = posix.join(at, rest[0]);
        continue;
      }
      const text = SHELLS.has(program) ? rest.find((word) => /\s/.test(word)) : undefined;
      if (text !== undefined && depth > 0) await follow(text, at, depth - 1);
      if (!isLookedAt) for (const name of namedBy(program, rest)) watch({ path: posix.join(at, name) });
      for (const { folder: own, file, script } of scriptsOf(program, rest)) {
        const place = posix.join(at, own);
        const path = posix.join(place, file);
        if (!watch({ path, script }) || depth === 0) continue;
        for (const recipe of scriptIn(path, script, (await textOf(path)) ?? "") ?? [])
          await follow(recipe, place, depth - 1);
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
  if (posix.basename(path) !== "package.json") return recipeIn(text, script);
  const { scripts } = (parsedJson(text) ?? {}) as { readonly scripts?: Readonly<Record<string, unknown>> };
  const found = ["pre", "", "post"].flatMap((when) => {
    const line = scripts?.[`${when}${script}`];
    return typeof line === "string" ? [line] : [];
  });
  return found.length === 0 ? undefined : found;
}

/** Of a Makefile or a justfile, with the recipes on which it depends. */
function recipeIn(text: string, target: string): readonly string[] | undefined {
  const recipes = new Map<string, string[]>();
  let open: string[] = [];
  for (const line of text.split("\n").map((whole) => whole.slice(0, LINE_LIMIT))) {
    const colon = line.indexOf(":");
    const names = line.slice(0, Math.max(colon, 0));
    if (/^\s+\S/.test(line)) open.push(line.trim().replace(/^[@-]+/, ""));
    else if (colon > 0 && line[colon + 1] !== "=" && !/[=#]/.test(names)) {
      open = [line.slice(colon + 1)];
      for (const name of names.replace(/^@/, "").split(/\s+/)) recipes.set(name, open);
    } else if (line.trim() !== "" && !line.startsWith("#")) open = [];
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

/** In characters. */
const LINE_LIMIT = 1_000;

interface SimpleCommand {
  readonly words: readonly string[];
  /** What it prints is compared, so what it runs is what the task makes. */
  readonly isLookedAt: boolean;
}

/** The commands of a line; what cannot be split into words is left out. */
function simpleCommands(line: string): SimpleCommand[] {
  const commands: { words: string[]; before: string }[] = [{ words: [], before: "" }];
  for (const [, single, double, other, bare] of line.matchAll(WORD)) {
    if (other !== undefined) commands.push({ words: [], before: other });
    else commands.at(-1)?.words.push(single ?? double ?? bare ?? "");
  }
  const cleaned = commands.map(({ words, before }) => ({ words: withoutPrefix(words), before }));
  return cleaned.flatMap(({ words }, at) => {
    const next = cleaned[at + 1];
    const isPiped = next?.before === "|" && LOOKS_AT.has(next.words[0] ?? "");
    return words.length === 0 ? [] : [{ words, isLookedAt: isPiped || LOOKS_AT.has(words[0] ?? "") }];
  });
}

const WORD = /'([^']*)'|"((?:\\.|[^"\\])*)"|(&&|\|\|?|;|\n|&|\(|\))|([^\s'"&|;()<>]+)/g;

/** `CI=1 timeout 60 npx vitest run` is `vitest run`. */
function withoutPrefix(words: readonly string[]): string[] {
  const start = words.findIndex(
    (word) => !/^\w+=/.test(word) && !PREFIXES.has(word) && !/^(?:\d+[smh]?|-.*|!|\{)$/.test(word),
  );
  return start < 0 ? [] : words.slice(start);
}

const wordsOf = (text: string) => new Set(text.split(" "));
const PREFIXES = wordsOf(
  "env time timeout nice exec command npx bunx cross-env sudo if then do while until else",
);
/** These look at what a task makes. */
const LOOKS_AT = wordsOf("test [ [[ grep egrep fgrep rg cat head tail wc ls stat file jq echo printf");
const SHELLS = wordsOf("sh bash dash zsh ksh eval");
const INTERPRETERS = wordsOf(
  "sh bash dash zsh ksh . source node deno bun tsx ts-node python python3 ruby perl php pwsh Rscript lua",
);
/** Options of interpreters after which no script of theirs comes, and options that name a file by which a program judges. */
const NO_SCRIPT = /^(?:-[cem]|--check|--eval|--test|--run|--print|-p)$/;
const CONFIG = /^(?:-c|-f|--(?:[\w-]*config|rcfile|file|makefile|project|spec|baseline))$/;

/** The files by which a program judges, as far as its words tell. */
function namedBy(program: string, rest: readonly string[]): string[] {
  const given = rest.flatMap((word, at) => {
    const [option, value] = /^(--?[\w-]+)=(.+)$/.exec(word)?.slice(1) ?? [rest[at - 1] ?? "", word];
    return CONFIG.test(option ?? "") && value ? [value] : [];
  });
  const own = rest.filter((word) => !word.startsWith("-"));
  const isScript = INTERPRETERS.has(program) && !rest.some((word) => NO_SCRIPT.test(word));
  const data = own.filter((word) => !isCode(word) && !/\.(?:md|mdx|rst|adoc|sh|bash)$/i.test(word));
  return [program, ...given, ...(isScript ? own.slice(0, 1) : []), ...data].filter((name) => !isTest(name));
}

interface Script {
  /** Relative to the folder in which the command runs. */
  readonly folder: string;
  readonly file: string;
  readonly script: string;
}

const RUNNERS = wordsOf("npm pnpm yarn bun");
const ALIASES: Readonly<Record<string, string>> = { t: "test", tst: "test" };
const ELSEWHERE = /^(?:--(?:filter|workspaces?|recursive)(?:=.*)?|-[wFr]|workspaces?)$/;

function scriptsOf(program: string, rest: readonly string[]): Script[] {
  const isMake = /^(?:g?make|just)$/.test(program);
  if (program === "node") {
    const script = rest[rest.indexOf("--run") + 1];
    return rest.includes("--run") && script ? [{ folder: ".", file: "package.json", script }] : [];
  }
  // In which packages of many it runs is not known here.
  if (!(isMake || RUNNERS.has(program)) || rest.some((word) => ELSEWHERE.test(word))) return [];
  const place = rest.findIndex((word) => /^(?:-C|--prefix|--dir|--cwd|--directory)$/.test(word));
  const folder = place < 0 ? "." : (rest[place + 1] ?? ".");
  const words = rest.filter(
    (word, at) => !word.startsWith("-") && !word.includes("=") && (place < 0 || at !== place + 1),
  );
  if (!isMake) {
    const [verb = "", name = ""] = words;
    const script = /^run(?:-script)?$/.test(verb) ? name : (ALIASES[verb] ?? verb);
    return script === "" ? [] : [{ folder, file: "package.json", script }];
  }
  const files =
    program === "just" ? ["justfile", "Justfile", ".justfile"] : ["Makefile", "makefile", "GNUmakefile"];
  return files.flatMap((file) =>
    (words.length === 0 ? [""] : words).map((script) => ({ folder, file, script })),
  );
}
