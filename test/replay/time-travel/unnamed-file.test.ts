import { readdirSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../../src/api/project.ts";
import { useChild } from "../../children.ts";
import { comments } from "../../events/given.ts";
import { freshFolder } from "../../support/project.ts";

const startReducing = useChild("test/replay/time-travel/children/reduce-state.ts");

test("a state reduced from the start is in a file, not in memory, and a killed process leaves none", async () => {
  const folder = freshFolder();
  await initProject(folder);
  const { log } = await openProject(folder);
  for (let batch = 0; batch < 3; batch++) await log.append(comments(8_000, "x".repeat(1_000)));
  await log.close();
  const temporary = freshFolder();
  vi.stubEnv("SQLITE_TMPDIR", temporary);
  const child = startReducing(readModelPathIn(folder));
  vi.unstubAllEnvs();
  const open: string[] = JSON.parse((await child.lines.next()).value ?? "[]");
  expect(open.some((path) => path.startsWith(temporary) && path.endsWith("(deleted)"))).toBe(true);
  expect(readdirSync(temporary)).toEqual([]);
  await child.kill();
  expect(readdirSync(temporary)).toEqual([]);
});
