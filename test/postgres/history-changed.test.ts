// @module-tag postgresql-standbys
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { initProject, openProject, type Project, prepareFolder } from "../../src/api/project.ts";
import { trustLog } from "../../src/config/known-log.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { examine } from "../../src/loop/doctor/index.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { joinFleet } from "../../src/outside/fleet/join.ts";
import { keptHistories } from "../../src/read-model/other-history.ts";
import { comment } from "../events/given.ts";
import { freshFolder } from "../support/project.ts";
import { givenFleet, standbysOf } from "./given-log.ts";

/* Catches: a host that goes on from a read model of a history that is gone, that throws it away, or that does not know what it has lost. */

test("where another history took the log's place, each host keeps its read model, lists what it lost, and goes on with the other", async () => {
  const { cluster, url } = await givenFleet();
  const [behind, ahead] = standbysOf(cluster);
  const hosts = await Promise.all(["one", "other", "appended and died"].map(() => givenHost(url)));
  const [one, other, died] = hosts.map(({ db }) => db);
  const [first, second, third] = hosts.map(({ project }) => project);
  if (!first || !second || !third || !one || !other || !died) throw new Error("No hosts.");
  const titled = async (project: Project, title: string) =>
    (await project.decide(createTask({ title }))).map(({ position, id }) => ({ position, id }));
  await titled(first, "kept");
  // It stays connected, and sees nothing of what is lost.
  const idle = await openProject(hosts[0]?.folder ?? "");
  onTestFinished(() => idle.close());
  await cluster.cutOff(behind);
  const lostByFirst = [...(await titled(first, "A")), ...(await titled(first, "B"))];
  const lostBySecond = await titled(second, "C");
  const { events } = await third.log.append([comment("never reduced here")]);
  const lostByThird = events.map(({ position, id }) => ({ position, id }));
  // Another than whoever appended it reduces the last of them.
  await first.queries.tasks();
  for (const { project } of hosts) await project.close();
  await cluster.kill(cluster.primary);
  await cluster.promote(behind);
  await cluster.rejoin(ahead);

  expect((await idle.queries.tasks()).map(({ title }) => title)).toEqual(["kept"]);
  expect(keptHistories(one)).toHaveLength(1);
  for (const { folder, db } of hosts) {
    const project = await openProject(folder);
    const titles = (await project.queries.tasks()).map(({ title }) => title);
    expect(titles.filter((title) => title !== "later")).toEqual(["kept"]);
    await expect(project.decide(createTask({ title: "unseen" }))).rejects.toMatchObject({
      code: "unknown_log",
    });
    await trustLog(project.log, db);
    await project.decide(createTask({ title: "later" }));
    await project.close();
  }
  const kept = [one, other, died].map((db) => keptHistories(db));
  expect(kept.map((of) => of.map(({ list }) => list?.lost))).toEqual([
    [lostByFirst],
    [lostBySecond],
    [lostByThird],
  ]);
  expect(kept[0]?.[0]?.path).toBe(`${one}.before-${kept[0]?.[0]?.list?.epoch}`);
  const before = new Database(kept[0]?.[0]?.path ?? "", { readonly: true });
  onTestFinished(() => void before.close());
  expect(before.prepare("SELECT title FROM tasks ORDER BY id").pluck().all()).toEqual([
    "kept",
    "A",
    "B",
    "C",
  ]);

  const findings = await examine({ cwd: hosts[0]?.folder ?? "", env: {}, readModelPath: one, noProject: "" });
  expect(findings.filter(({ name }) => name === "history")).toEqual([
    expect.objectContaining({
      state: "warning",
      found: expect.stringContaining(`${lostByFirst.length} events`),
    }),
  ]);
  // What the new history has is not counted as lost when the next one is asked.
  const again = await openProject(hosts[0]?.folder ?? "");
  await again.close();
  expect(keptHistories(one)).toHaveLength(1);
  expect(readFileSync(`${one}.before-${kept[0]?.[0]?.list?.epoch}.json`, "utf8")).not.toContain("later");
});

async function givenHost(url: string) {
  const folder = freshFolder();
  const db = prepareFolder(folder);
  await joinFleet(db, url, systemEnvironment());
  await initProject(folder);
  return { folder, db, project: await openProject(folder) };
}
