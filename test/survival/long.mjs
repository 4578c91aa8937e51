// `npm run test:long` lists the lines; `npm run test:long -- LINE` tries one at its large number of points, shows how far
// it is, and goes on from there when it was stopped; `npm run test:long -- all` tries them one after the other.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every campaign, read from the tests' text: nothing needs to be started to list them. */
const lines = readdirSync(folder)
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) => {
    const text = readFileSync(`${folder}${file}`, "utf8");
    return [...text.matchAll(/campaign\S*\(\{\s*line: "([^"]+)",\s*promise:\s*"([^"]+)",[^}]*?large: ([\d_]+)/gs)].map(
      ([, line, promise, large]) => ({ file, line, promise, points: Number(large.replaceAll("_", "")) }),
    );
  });

/** Not points, but parts of the source, each mutated in a run of its own; how far it is, it prints itself. */
const mutants = {
  line: "mutants",
  promise: "mutation tests (Stryker, static mutants ignored): 85 % of events, projections and decisions, 95 % of encoding, log and settlement",
};

function stateOf(line) {
  try {
    return JSON.parse(readFileSync(`${root}.long/${line}.json`, "utf8"));
  } catch {
    return { done: 0, failures: [], seconds: 0, figures: {} };
  }
}

function describe({ line, points }) {
  const { done, failures, seconds, figures } = stateOf(line);
  const sums = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  const failed = failures.length > 0 ? `, ${failures.length} FAILED, first point ${failures[0].point}` : "";
  return `${line}: ${done} of ${points} points, ${Math.round(seconds)} s${failed}${sums.length > 0 ? `; ${sums.join(", ")}` : ""}`;
}

async function run(entry) {
  const command =
    entry === mutants
      ? ["node", "test/mutation/run.mjs"]
      : ["npx", "vitest", "run", `test/survival/${entry.file}`];
  const vitest = spawn(command[0], command.slice(1), {
    cwd: root,
    env: { ...process.env, SIGNALBOX_LONG: entry.line },
    stdio: ["ignore", entry === mutants ? "inherit" : "pipe", "inherit"],
    // A process group of its own, so that whoever stops this stops all of it, workers and what they started.
    detached: true,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      process.kill(-vitest.pid, "SIGKILL");
      console.error(`${describe(entry)}; stopped, goes on from there`);
      process.exit(130);
    });
  }
  let output = "";
  vitest.stdout?.on("data", (data) => {
    output += data;
  });
  const progress = setInterval(() => entry !== mutants && console.error(describe(entry)), 10_000);
  const [code] = await new Promise((resolve) => vitest.on("close", (...end) => resolve(end)));
  clearInterval(progress);
  if (code !== 0) process.stdout.write(output);
  if (entry !== mutants) console.log(describe(entry));
  return code === 0;
}

const asked = process.argv[2];
const all = [...lines, mutants];
const chosen = asked === "all" ? all : all.filter(({ line }) => line === asked);
if (asked !== undefined && chosen.length === 0) {
  console.error(`There is no line "${asked}"; there are ${all.map(({ line }) => line).join(", ")}, and all.`);
  process.exitCode = 2;
} else if (asked === undefined) {
  for (const entry of lines) console.log(`${describe(entry)}\n  ${entry.promise}`);
  console.log(`${mutants.line}\n  ${mutants.promise}`);
} else {
  for (const entry of chosen) if (!(await run(entry))) process.exitCode = 1;
}
