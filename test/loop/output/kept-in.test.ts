import { readFileSync } from "node:fs";
import { join } from "node:path";
import { from, lastValueFrom } from "rxjs";
import { expect, test } from "vitest";
import { keptIn } from "../../../src/loop/output/kept-in.ts";
import { freshFolder } from "../../support/project.ts";

test("an agent's output is kept up to the limit, and its last line says that more is not kept", async () => {
  const path = join(freshFolder(), "output.jsonl");
  const lines = Array.from({ length: 50 }, (_, nth) => ({
    text: `line ${nth}`,
    from: nth % 2 === 0 ? ("stdout" as const) : ("stderr" as const),
    at: new Date(),
  }));
  await lastValueFrom(from(lines).pipe(keptIn(path, 1_000)));
  const written = () => readFileSync(path, "utf8");
  await expect.poll(written).toMatch(/\nMore output is not kept: 1 kB are reached\.\n$/);
  expect(written().split("More output")).toHaveLength(2);
  expect(written()).toMatch(/^line 0\n\{"signalbox":"stderr","text":"line 1"\}\nline 2\n/);
  expect(written().length).toBeLessThan(1_200);
});
