import { basename } from "node:path";
import { named } from "../../events/types/work-words.ts";
import { splitNul } from "../git.ts";
import { secretByName } from "../secrets.ts";
import { type Beginning, excludesOf, tryAsk } from "./beginning.ts";
import type { Finding } from "./finding.ts";
import type { Ended } from "./left-behind.ts";

/**
 * Files that git ignores by a rule that this session added, and so its branch lacks. Caches, build output and settings are
 * ignored by right.
 *
 * @param changed the paths that the session changed
 * @throws GitError
 */
export async function hidden(
  { tree, excludes, git_dir }: Beginning,
  { ask, base }: Ended,
  changed: readonly string[],
): Promise<Finding[]> {
  const files = changed.filter((path) => basename(path) === ".gitignore");
  const own = excludesOf(git_dir);
  if (files.length === 0 && own === excludes) return [];
  const list = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z", "--", "."];
  const ignored = splitNul(await ask(list))
    .filter(isWork)
    .slice(0, LOOKED_AT);
  if (ignored.length === 0) return [];
  // A name may look like one of git's patterns.
  const input = ignored.map((path) => `./${path}\0`).join("");
  const check = ["check-ignore", "--verbose", "-z", "--stdin"];
  // It fails where it finds none.
  const told = (await ask(check, input).catch(() => "")).split("\0");
  const before = new Map<string, ReadonlySet<string>>();
  const textOf = async (tip: string | null, source: string) =>
    (tip && (await tryAsk(ask, ["cat-file", "blob", `${tip}:${source}`]))) || "";
  const paths: string[] = [];
  const sources = new Set<string>();
  for (let place = 0; place + 3 < told.length; place += 4) {
    const [source = "", , rule = "", path = ""] = told.slice(place, place + 4);
    const isOwn = !files.includes(source);
    if (isOwn && !source.endsWith("info/exclude")) continue;
    if (!before.has(source)) {
      // Also what came with the base.
      const texts = isOwn ? [excludes] : [await textOf(tree, source), await textOf(base, source)];
      before.set(
        source,
        new Set(
          texts
            .join("\n")
            .split("\n")
            .map((line) => line.trim()),
        ),
      );
    }
    if (before.get(source)?.has(rule.trim())) continue;
    paths.push(path.slice("./".length));
    sources.add(source);
  }
  if (paths.length === 0) return [];
  const says = `${named(paths)} ${paths.length === 1 ? "is" : "are"} ignored by a rule that this session added to ${named([...sources])}, so your branch lacks ${paths.length === 1 ? "it" : "them"}: take the rule out and commit, or delete what is no work.`;
  return [{ kind: "left_behind", paths, refs: [], says }];
}

/** In paths; more are caches. */
const LOOKED_AT = 500;

function isWork(path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  return !parts.some((part) => NO_WORK.test(part)) && secretByName(path) === undefined;
}

/** What the usual tools of the usual languages write, and editors. */
const NO_WORK = new RegExp(
  `^(?:${[
    "node_modules|bower_components|vendor|Pods|\\.venv|venv|env|\\.env.*|\\.?bundle|deps|elm-stuff",
    "dist.*|build|out|output|target|bin|obj|lib64|pkg|_build|public|site|htmlcov|coverage.*|\\.coverage.*|\\.nyc_output",
    "__pycache__|.*\\.egg-info|\\.eggs|\\.tox|\\.nox|wheels|\\.?logs?|\\.?te?mp|\\.?caches?|.*[._-]cache",
    "\\.next|\\.nuxt|\\.output|\\.svelte-kit|\\.turbo|\\.vite|\\.parcel-cache|\\.angular|\\.astro|\\.vercel|\\.netlify|storybook-static|test-results|playwright-report",
    "\\.gradle|\\.mvn|\\.dart_tool|\\.stack-work|\\.terraform.*|\\.serverless|\\.direnv|\\.cargo|\\.zig-cache|zig-out|\\.eslintcache",
    "\\.idea|\\.vscode|\\.vs|\\.settings|\\.DS_Store|Thumbs\\.db|\\.history|\\.claude|\\.codex|\\.cursor|\\.gemini|\\.opencode|\\.ralph",
    ".*\\.(?:py[cod]|class|jar|war|o|obj|a|so|dylib|dll|exe|pdb|wasm|tsbuildinfo|log|tmp|temp|bak|swp|swo|pid|lock|orig|rej|local|map|prof(?:raw|data)?|gcda|gcno|lcov|sqlite3?|db|zip|gz|tgz|iml|suo|user|coverage|test|stackdump)",
    ".*~",
  ].join("|")})$`,
  "i",
);
