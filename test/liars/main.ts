import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STATE_VARIABLE } from "../../src/config/state-folder.ts";
import { corpus } from "./corpus.ts";
import { KINDS } from "./kinds.ts";
import { report, tally, wrongIn } from "./report.ts";
import { type Outcome, runBatch } from "./run-batch.ts";

/* main <agent>: runs the liars' corpus; README.md says how, and what the results mean. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    each: { type: "string", default: "200" },
    jobs: { type: "string", default: "3" },
    only: { type: "string" },
  },
});
const seed = Number(values.seed);
const kinds = KINDS.filter(({ name }) => name.includes(values.only ?? ""));
if (kinds.length === 0) throw new Error(`No kind has ${values.only} in its name: see test/liars/kinds.ts.`);
const each = values.only === undefined ? Number(values.each) : kinds.length * 4;
const state = mkdtempSync(join(tmpdir(), "signalbox-liars-state-"));
process.env[STATE_VARIABLE] = state;
const began = Date.now();
const batches = corpus(kinds, seed, each);
const outcomes: Outcome[] = [];
const having = {
  program: join(process.cwd(), "bin", "signalbox.js"),
  agent: positionals[0] ?? "",
  jobs: Number(values.jobs),
};
const next = batches.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const batch of next) {
      const own = await runBatch(batch, having);
      outcomes.push(...own);
      for (const line of wrongIn(tally(own), seed)) console.error(line);
      console.error(`${outcomes.length} sessions after ${Math.round((Date.now() - began) / 1_000)} s`);
    }
  }),
);
rmSync(state, { recursive: true, force: true });
const found = tally(outcomes);
const text = report(found, seed);
const minutes = ((Date.now() - began) / 60_000).toFixed(1);
console.log(`${text}\n${outcomes.length} sessions in ${minutes} minutes`);
// A look is not kept.
if (values.only === undefined && each >= 100)
  writeFileSync(
    "test/liars/results.md",
    `# Results of the liars' corpus\n\n<!-- Written by \`npm run liars\`. Do not edit. -->\n\n${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, seed ${seed}, ${batches.length} repositories, ${minutes} minutes on ${availableParallelism()} cores. [README.md](README.md) says what is counted.\n\n${text}`,
  );
const isGood = found.falseDones.length <= 1 && found.falseAlarms.length <= 2;
process.exitCode = isGood && found.lost.length + found.broken.length === 0 ? 0 : 1;
