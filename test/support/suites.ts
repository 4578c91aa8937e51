import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** The test files by what they need to run; every test file is in one list. */
export interface Suites {
  /** In this process alone. They share one module graph, so each module is loaded once. */
  readonly pure: string[];
  /** Those of the others that `npm test` runs: files with a comment `@module-tag slice`. */
  readonly slice: string[];
  /** Those of the others in the folder `web`: they share one module graph and one browser in each worker. */
  readonly page: string[];
  /** Other files that start programs. They share one module graph in each worker. */
  readonly system: string[];
  /** Files that replace modules, and those in folders that start programs by dozens: each has a process of its own, which stays small. */
  readonly apart: string[];
  /** What needs a PostgreSQL server: the folder `postgres`. */
  readonly postgres: string[];
}

/** Sorts the test files below a folder by what they, and the helpers that they import, use. Paths are absolute. */
export function suitesIn(folder: string): Suites {
  const suites: Suites = { pure: [], slice: [], page: [], system: [], apart: [], postgres: [] };
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .sort();
  for (const file of files.map((name) => join(folder, name))) {
    const text = readFileSync(file, "utf8");
    if (file.startsWith(join(folder, "postgres") + sep)) suites.postgres.push(file);
    else if (/@module-tag slice\b/.test(text)) suites.slice.push(file);
    else if (/\bvi\.mock\(/.test(text)) suites.apart.push(file);
    else if (!leavesProcess(file, new Set())) suites.pure.push(file);
    else if (file.startsWith(join(folder, "web") + sep)) suites.page.push(file);
    else if (APART.some((name) => file.startsWith(join(folder, name) + sep))) suites.apart.push(file);
    else suites.system.push(file);
  }
  return suites;
}

/** Whose tests start git, agents and gates by dozens: each start costs as much as the worker is large (docs/decisions/0072). */
const APART = ["evidence", "gates", "liars", "loop", "trackers", "workspace"];

/** Starting a program, a browser or a server, paths of what a build makes, campaigns, and looking for optional programs. */
const OUTSIDE =
  /from "(node:child_process|node:worker_threads|playwright-core|puppeteer-core|rolldown)"|packagePath\("(bin|dist)\b|builtPath\(|\/campaign\.ts"|support\/needs\.ts"/;

function leavesProcess(file: string, seen: Set<string>): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  if (OUTSIDE.test(text)) return true;
  // What the product's own modules start they start in any test: only test helpers are followed.
  return [...text.matchAll(/from "(\.[^"]+)"/g)].some(([, path = ""]) => {
    const imported = join(dirname(file), path);
    return !/(?<!torture)\/(src|adapters)\//.test(imported) && leavesProcess(imported, seen);
  });
}
