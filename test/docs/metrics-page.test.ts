import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { attempt, done, end, partial, start, task } from "../projections/loop-drafts.ts";
import { ask, learned, metricsOf, state } from "../projections/metrics/given.ts";

const [page = ""] = readFileSync(packagePath("docs/metrics.md"), "utf8").split(/^## Traces/m);

test("docs/metrics.md defines every column of every table, and no other", async () => {
  const tables = await metricsOf([
    [0, task(1, { gates: [{ command: "npm test", max: 5, timeout_s: 300 }] })],
    [1, start(1, "s-1")],
    [2, state("s-1", "testing")],
    [3, ask(1, "s-1", true)],
    [4, learned(1, "s-1", "Rows come in chunks.")],
    [5, learned(1, "s-1", "Rows come in chunks.")],
    [6, attempt(1, "no")],
    [7, partial(1, "s-1", "The rest.")],
    [8, end("s-1")],
    [9, start(1, "s-2")],
    [10, done(1, "s-2", "All.")],
    [11, end("s-2")],
  ]);
  const columns = Object.entries(tables).map(([name, [row]]) => [
    name,
    Object.keys(row ?? {}).filter((column) => column !== "group"),
  ]);
  const sections = page.split(/^### /m).slice(1);
  const defined = sections.map((section) => [
    section.split("\n")[0],
    [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names = ""]) =>
      names.split(", ").map((name) => name.replaceAll("`", "")),
    ),
  ]);
  expect(defined).toEqual(columns);
});
