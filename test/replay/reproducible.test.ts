import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { runSimulationIn } from "../../src/replay/run.ts";
import { loadSimulations, type Simulation } from "../../src/replay/simulation.ts";
import { freshFolder } from "../support/project.ts";

const NAMES = ["056-L18", "056-L20", "056-L30"];

/** Every column of every event, as it lies in the file. */
function recordsIn(folder: string): unknown[] {
  const database = new Database(join(folder, "events.db"), { readonly: true });
  const records = database
    .prepare("SELECT * FROM events JOIN streams ON key = stream ORDER BY position")
    .raw()
    .all();
  database.close();
  return records;
}

async function replayed(simulation: Simulation, inProcess: boolean): Promise<unknown[]> {
  const folder = freshFolder();
  const report = await runSimulationIn(folder, simulation, { inProcess });
  expect(report.differences).toEqual([]);
  return recordsIn(folder);
}

test.each(NAMES)(
  "%s replayed twice gives logs that are equal to the byte, with server processes or without",
  async (name) => {
    const [simulation] = loadSimulations([packagePath(`fixtures/sims/${name}.json`)]);
    if (!simulation) throw new Error(`there is no simulation ${name}`);
    const first = await replayed(simulation, true);
    expect(first.length).toBeGreaterThan(20);
    expect(await replayed(simulation, true)).toEqual(first);
    expect(await replayed(simulation, false)).toEqual(first);
  },
);

test("the corpus in fixtures is the recorded one, unchanged", () => {
  const shared = packagePath("../shared/sims");
  const files = readdirSync(packagePath("fixtures/sims"));
  expect(files).toHaveLength(84);
  let there: string[] = [];
  try {
    there = readdirSync(shared);
  } catch {
    // The project stands alone; where the source of the corpus is at hand, it is compared.
  }
  for (const file of there) {
    expect(readFileSync(packagePath(`fixtures/sims/${file}`), "utf8"), file).toBe(
      readFileSync(join(shared, file), "utf8"),
    );
  }
});
