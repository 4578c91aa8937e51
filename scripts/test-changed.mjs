// @ts-check
// `npm run test:changed -- COMMIT`: runs the tests that import what was changed since a commit (HEAD, if none is named), nearest first, for
// half a minute by two workers; and says what it left out.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { suitesIn } from "../test/support/suites.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
/** What files import, by their paths. @type {Map<string, string[]>} */
const known = new Map();
const times = readTimes();
const BUDGET_MS = 45_000;
/** Of a file of which no run has told its time. */
const USUAL_MS = 500;

const since = process.argv[2] ?? "HEAD";
const changed = changedSince(since);
if (changed.length === 0) {
  console.log(`Nothing was changed since ${since}.`);
  process.exit();
}
const { pure, ...rest } = suitesIn(join(root, "test"));
const near = pure
  .flatMap((file) => {
    const steps = stepsTo(file, changed);
    return steps === undefined ? [] : [{ file, steps, ms: timeOf(file) }];
  })
  .sort((a, b) => a.steps - b.steps || a.ms - b.ms);
/** @type {string[]} */
const chosen = [];
let sum_ms = 0;
for (const { file, ms } of near) {
  sum_ms += ms;
  // The first one is run however long it takes.
  if (chosen.length > 0 && sum_ms > BUDGET_MS) break;
  chosen.push(relative(root, file));
}
const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "pure"];
const run =
  chosen.length === 0
    ? 0
    : spawnSync(process.execPath, [...vitest, ...chosen], { cwd: root, stdio: "inherit" }).status;

const others = Object.entries(rest).map(([project, files]) => ({
  project,
  files: files.filter((file) => stepsTo(file, changed) !== undefined),
}));
const left = [
  { project: "pure", files: near.slice(chosen.length).map(({ file }) => file) },
  ...others,
].filter(({ files }) => files.length > 0);
console.log(`\nChanged since ${since}: ${changed.map((file) => relative(root, file)).join(", ")}.`);
console.log(`Run: ${chosen.length} files of tests that import it.`);
for (const { project, files } of left)
  console.log(
    `Left out: ${files.length} of ${project}. To run them: npx vitest run --project ${project} ${folders(files)}`,
  );
process.exit(run ?? 1);

/** @param {string} commit @returns {string[]} absolute paths, new files included */
function changedSince(commit) {
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  const names = `${git("diff", "--name-only", commit)}${git("ls-files", "--others", "--exclude-standard")}`;
  return names
    .split("\n")
    .filter((name) => /\.(ts|tsx|mjs|cjs|js)$/.test(name) && existsSync(join(root, name)))
    .map((name) => join(root, name));
}

/** How many imports lead from a file to one of others; undefined: none do. @param {string} file @param {readonly string[]} to */
function stepsTo(file, to) {
  const seen = new Set([file]);
  for (let steps = 0, at = [file]; at.length > 0; steps++) {
    if (at.some((one) => to.includes(one))) return steps;
    at = at.flatMap(importsOf).filter((one) => !seen.has(one) && seen.add(one));
  }
  return undefined;
}

/** @param {string} file */
function importsOf(file) {
  let found = known.get(file);
  if (!found) {
    const text = readFileSync(file, "utf8");
    found = [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)]
      .map(([, path = ""]) => join(dirname(file), path))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
    known.set(file, found);
  }
  return found;
}

/** What vitest wrote down of earlier runs. @param {string} file */
function timeOf(file) {
  return times.get(relative(root, file)) ?? USUAL_MS;
}

function readTimes() {
  const folder = join(root, "node_modules/.vite/vitest");
  const files = existsSync(folder) ? globSync("*/results.json", { cwd: folder }) : [];
  return new Map(
    files.flatMap((file) => {
      /** @type {{ projects?: { pure?: { files: Record<string, { duration: number }> } } }} */
      const { projects } = JSON.parse(readFileSync(join(folder, file), "utf8"));
      return Object.entries(projects?.pure?.files ?? {}).map(
        ([name, { duration }]) => /** @type {const} */ ([name, duration]),
      );
    }),
  );
}

/** @param {readonly string[]} files */
function folders(files) {
  return [...new Set(files.map((file) => dirname(relative(root, file))))].sort().join(" ");
}
