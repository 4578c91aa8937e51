// The mutation tests: `npm run test:long -- mutants`. Each part of the source is mutated by Stryker in a run of its own, whose report
// stays in .long/mutants/, so that it can be stopped and goes on with the next part. At the end: the score of each area.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const reports = `${root}.long/mutants`;

/** In the order in which they are run. */
const parts = [
  "src/projections/board",
  "src/events",
  "src/decisions",
  "src/projections",
  "src/read-model",
  "src/queries",
  "src/events/types",
];
/** The goals, in percent of the mutants that are not ignored. */
const areas = [
  { name: "encoding, log, settlement", goal: 95, has: isCore },
  { name: "src/events", goal: 85, has: (file) => file.startsWith("src/events/") },
  { name: "src/projections", goal: 85, has: (file) => /^src\/(projections|read-model|queries)\//.test(file) },
  { name: "src/decisions", goal: 85, has: (file) => file.startsWith("src/decisions/") },
];

function isCore(file) {
  return /^src\/events\/(encoding|leaf-hash|event|append|memory-log|sqlite-log|sqlite-records)\.ts$|\/board\/settlement\.ts$/.test(file);
}

const known = process.argv.slice(2);
if (!existsSync(`${here}node_modules`)) run("npm", ["ci", "--prefix", here, "--legacy-peer-deps", "--no-audit", "--no-fund"]);
mkdirSync(reports, { recursive: true });
for (const part of parts) {
  if (known.length > 0 && !known.includes(part)) continue;
  const report = reportOf(part);
  if (existsSync(report) && JSON.parse(readFileSync(report, "utf8")).of === stateOf(part)) {
    console.log(`${part}: has been done`);
    continue;
  }
  run(process.execPath, [`${here}node_modules/@stryker-mutator/core/bin/stryker.js`, "run", configFor(part)]);
  const { files } = JSON.parse(readFileSync(`${report}.new`, "utf8"));
  writeFileSync(report, JSON.stringify({ of: stateOf(part), mutants: mutantsIn(files) }, undefined, 1));
}
process.exitCode = tell() ? 0 : 1;

function reportOf(part) {
  return `${reports}/${part.replaceAll("/", "-")}.json`;
}

/** A hash of what the result depends on: the part's own files and all tests. */
function stateOf(part) {
  const hash = createHash("sha256");
  const tests = readdirSync(`${root}test`, { recursive: true }).filter((file) => /^(?!mutation|conformance).*\.ts$/.test(file));
  for (const file of [...filesOf(part), ...tests.sort().map((file) => `test/${file}`)]) {
    hash.update(file).update(readFileSync(`${root}${file}`));
  }
  return hash.digest("hex");
}

function filesOf(part) {
  return readdirSync(`${root}${part}`)
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => `${part}/${file}`);
}

function configFor(part) {
  const path = `${reports}/${part.replaceAll("/", "-")}.config.json`;
  const config = {
    plugins: [`${here}node_modules/@stryker-mutator/vitest-runner/dist/src/index.js`],
    testRunner: "vitest",
    vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
    mutate: filesOf(part),
    ignorePatterns: ["bench", "dist", "docs", ".long", "test/{conformance,mutation}/node_modules"],
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `${reports}/${part.replaceAll("/", "-")}.incremental.json`,
    tempDirName: ".long/mutants/sandboxes",
    concurrency: Number(process.env.SIGNALBOX_JOBS ?? 2),
    timeoutMS: 3_000,
    timeoutFactor: 1.2,
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: `${reportOf(part)}.new` },
  };
  writeFileSync(path, JSON.stringify(config, undefined, 2));
  return path;
}

/** Of each mutant what it did, where, and what became of it. */
function mutantsIn(files) {
  return Object.entries(files).flatMap(([file, { mutants, source }]) =>
    mutants.map(({ status, mutatorName, location, replacement }) => ({
      file,
      line: location.start.line,
      status,
      mutator: mutatorName,
      text: source.split("\n")[location.start.line - 1]?.trim(),
      replacement,
    })),
  );
}

/** Prints the scores; true if every goal was reached and every part done. */
function tell() {
  const done = parts.filter((part) => existsSync(reportOf(part)));
  const mutants = done.flatMap((part) => JSON.parse(readFileSync(reportOf(part), "utf8")).mutants);
  let reached = done.length === parts.length;
  for (const { name, goal, has } of areas) {
    const own = mutants.filter(({ file, status }) => has(file) && status !== "Ignored");
    const count = (...statuses) => own.filter(({ status }) => statuses.includes(status)).length;
    const dead = count("Killed", "Timeout");
    const score = (100 * dead) / Math.max(1, own.length);
    if (score < goal) reached = false;
    console.log(
      `${name}: ${score.toFixed(1)} % of ${own.length} mutants (goal ${goal} %); ${count("Survived")} survived, ${count("NoCoverage")} no test reached`,
    );
  }
  return reached;
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
