// @ts-check
// `npm run test:changed -- COMMIT`: runs the tests in one process that import what was changed since a commit (HEAD, if none is named),
// nearest first, as far as 45 s of tests go by two workers. Lists the tests that it left out.
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
/** For a file without a recorded time. */
const USUAL_MS = 500;

const since = process.argv[2] ?? "HEAD";
const names = changedSince(since);
const isCode = (/** @type {string} */ name) => /\.(ts|tsx|mjs|cjs|js)$/.test(name);
const changed = names.filter(isCode).map((name) => join(root, name));
/** Nothing imports them: data, styles, texts. */
const notFollowed = names.filter((name) => !isCode(name));
if (changed.length === 0) {
  console.log(
    `No code was changed since ${since}.${notFollowed.length > 0 ? ` Not followed: ${notFollowed.join(", ")}.` : ""}`,
  );
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
if (notFollowed.length > 0) console.log(`Not followed: ${notFollowed.join(", ")}.`);
for (const { project, files } of left)
  console.log(
    `Left out: ${files.length} of ${project}. To run them: npx vitest run --project ${project} ${files.map((file) => relative(root, file)).join(" ")}`,
  );
process.exit(run ?? 1);

/** @param {string} commit @returns {string[]} also new files, and those that are gone */
function changedSince(commit) {
  const git = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  const names = `${git("diff", "--name-only", commit)}${git("ls-files", "--others", "--exclude-standard")}`;
  return names.split("\n").filter((name) => name !== "");
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
    const isFile = isCode(file) && statSync(file, { throwIfNoEntry: false })?.isFile();
    const text = isFile ? readFileSync(file, "utf8") : "";
    found = [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
      join(dirname(file), path),
    );
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
