import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anotherFolder, freshProject, reopened } from "../support/project.ts";

/** Files with their modes, but for the journals of a log that is open. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !/-(wal|shm)$/.test(path))
    .map((path) => `${path} ${statSync(join(folder, path)).mode.toString(8)}`)
    .sort();
}

test("a project that a test works in is as `init` makes it", async () => {
  const made = await anotherFolder();
  const { project, folder } = await freshProject();
  expect(filesIn(folder)).toEqual(filesIn(made));
  const types = (await project.log.read(0, 100)).map(({ type }) => type);
  const features = (await project.queries.features()).map(({ name }) => name);
  await reopened(made, async (other) => {
    expect(types).toEqual((await other.log.read(0, 100)).map(({ type }) => type));
    expect(features).toEqual((await other.queries.features()).map(({ name }) => name));
  });
});
