// @module-tag postgresql
import { expect, test } from "vitest";
import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { initProject, openProject, prepareFolder, readModelPathIn } from "../../src/api/project.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openLog } from "../../src/events/open-log.ts";
import { endFile } from "../../src/events/sqlite-end.ts";
import { redact } from "../../src/history/redaction/redact.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { joinFleet } from "../../src/outside/fleet/join.ts";
import { moveToFleet } from "../../src/outside/fleet/move.ts";
import { freshSchema } from "../support/postgres/given.ts";
import { anotherFolder, freshFolder, freshProject, reopened, writeConfig } from "../support/project.ts";

/* Catches: an event lost, changed or doubled on the way, two logs that take appends, a host that goes on with a log of its own. */

const environment = systemEnvironment();

async function freshLog(): Promise<string> {
  const url = freshSchema();
  await createPostgresLog(url);
  return url;
}

async function hashesOf(log: EventLog): Promise<string[]> {
  return (await log.records(0, 10_000)).map(({ leafHash }) => Buffer.from(leafHash).toString("hex"));
}

test("a moved log has every event as it was, and the project goes on there, on every host that joins", async () => {
  const { project, folder, db } = await freshProject();
  for (const title of ["A", "B", "C"])
    await project.decide(createTask({ title, description: `secret of ${title}` }));
  const redaction = { position: 4, reason: "a secret", fields: ["description"] };
  await redact(project.store, db, redaction, { actor: "human", wait_ms: 1_000 });
  const before = await hashesOf(project.log);
  const url = await freshLog();

  await expect(moveToFleet(db, url, environment)).resolves.toMatchObject({ events: before.length });

  await expect(project.decide(createTask({ title: "Too late" }))).rejects.toMatchObject({ code: "moved_to" });
  await reopened(folder, async (moved) => {
    expect(await hashesOf(moved.log)).toEqual(before);
    expect(moved.store.readModel.position()).toBe(before.length);
    await moved.decide(createTask({ title: "D" }));
  });
  const other = freshFolder();
  await joinFleet(prepareFolder(other), url, environment);
  await reopened(other, async (joined) => {
    expect((await joined.queries.tasks()).map(({ title }) => title)).toEqual(["A", "B", "C", "D"]);
    await joined.decide(createTask({ title: "E" }));
  });
  await reopened(folder, async (moved) => expect(await moved.queries.tasks()).toHaveLength(5));
});

test("a move that was interrupted is done when it is run again, whatever was appended meanwhile", async () => {
  const { project, folder, db } = await freshProject();
  for (let task = 0; task < 5; task++) await project.decide(createTask({ title: `Task ${task}` }));
  const url = await freshLog();
  const half = await openLog({ url }, environment);
  await half.restore(await project.log.records(0, 3));
  await half.close();
  await project.decide(createTask({ title: "Meanwhile" }));
  const before = await hashesOf(project.log);
  await moveToFleet(db, url, environment);
  await reopened(folder, async ({ log }) => expect(await hashesOf(log)).toEqual(before));
});

test("between the end of the file and the new configuration nobody appends, and the move can be finished", async () => {
  const { project, folder, db } = await freshProject();
  const before = await hashesOf(project.log);
  const url = await freshLog();
  await endFile(logPathBeside(db), url, async () => {
    const to = await openLog({ url }, environment);
    await to.restore(await project.log.records(0, 100));
    await to.close();
  });
  await expect(openProject(folder)).rejects.toMatchObject({ code: "moved_to" });
  await moveToFleet(db, url, environment);
  await reopened(folder, async ({ log }) => expect(await hashesOf(log)).toEqual(before));
});

test("a log is not moved over another one, and a folder with a log of its own does not join", async () => {
  const [one, other] = [await freshProject(), await freshProject(await anotherFolder())];
  const url = await freshLog();
  await moveToFleet(one.db, url, environment);
  await expect(moveToFleet(other.db, url, environment)).rejects.toMatchObject({ code: "not_empty" });
  await expect(joinFleet(other.db, url, environment)).rejects.toMatchObject({ code: "other_log" });
  await expect(other.project.decide(createTask({ title: "As before" }))).resolves.toHaveLength(1);
});

test("nothing is moved where nobody has confirmed the configuration that is to name the new place", async () => {
  const { project, folder, db } = await freshProject();
  writeConfig(folder, JSON.stringify({ jobs: 2 }));
  await expect(moveToFleet(db, await freshLog(), environment)).rejects.toMatchObject({ code: "unconfirmed" });
  await expect(project.decide(createTask({ title: "As before" }))).resolves.toHaveLength(1);
});

test("a log that nobody has begun is begun by `init` on the host that joins first", async () => {
  const url = await freshLog();
  const folders = [freshFolder(), freshFolder()];
  for (const folder of folders) await joinFleet(prepareFolder(folder), url, environment);
  const created = await Promise.all(folders.map((folder) => initProject(folder)));
  for (const folder of folders) await reopened(folder, async ({ log }) => expect(await log.head()).toBe(2));
  expect(created.sort()).toEqual([false, true]);
});

test("a password in the URL is refused before anything is done", async () => {
  const { project, db } = await freshProject();
  const url = (await freshLog()).replace("://postgres@", "://postgres:hunter2@");
  for (const refused of [
    moveToFleet(db, url, environment),
    joinFleet(readModelPathIn(freshFolder()), url, environment),
  ]) {
    await expect(refused).rejects.toMatchObject({
      code: "password",
      message: expect.not.stringContaining("hunter2"),
    });
  }
  await expect(project.decide(createTask({ title: "As before" }))).resolves.toHaveLength(1);
});
