import { copyFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../src/api/project.ts";
import { examine } from "../../src/loop/doctor/index.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshFolder } from "../support/project.ts";
import { everyFile, givenInstallation, type Installation } from "./doctor-given.ts";

test.each([
  ["a project that nobody has open", async () => {}],
  ["a project that is open", leftOpen],
  ["a project that was killed with events in its journal", killedBesideJournal],
  ["a project without a read model", async (place: Installation) => rmSync(place.readModelPath)],
])("the doctor of %s writes nothing: no event, no file", async (_what, make) => {
  const place = await givenInstallation();
  await make(place);
  const temporary = freshFolder();
  const before = everyFile(place.folder);
  await examine({ ...place, env: { ...place.env, TMPDIR: temporary } });
  expect(everyFile(place.folder)).toEqual(before);
  expect(everyFile(temporary)).toEqual([]);
});

test("without a project the doctor says so, checks the rest, and writes nothing", async () => {
  const place = await givenInstallation();
  const cwd = freshFolder();
  const findings = await examine({ ...place, cwd, readModelPath: undefined, noProject: "There is none" });
  expect(findings.filter(({ state }) => state === "ok").map(({ name }) => name)).toEqual([
    "node",
    "sqlite",
    "disk",
    "file system",
    "agent claude",
    "agent claude login",
    "agent claude folder",
    "agent claude permissions",
    "git",
  ]);
  expect(findings).toContainEqual({
    name: "project",
    state: "warning",
    found: "There is none",
    mend: expect.any(String),
  });
  expect(everyFile(cwd)).toEqual([]);
});

async function leftOpen({ folder }: Installation): Promise<void> {
  const project = await openProject(folder);
  onTestFinished(() => project.close());
}

/** What a kill leaves: files as they are while a project is open. */
async function killedBesideJournal({ folder, readModelPath }: Installation): Promise<void> {
  const aside = freshFolder();
  const project = await openProject(folder);
  await project.decide(createTask({ title: "A" }));
  const names = ["events.db", "ralph.db"].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);
  for (const name of names) copyFileSync(join(dirname(readModelPath), name), join(aside, name));
  await project.close();
  for (const name of names) copyFileSync(join(aside, name), join(dirname(readModelPath), name));
}
