import { expect, test } from "vitest";
import { rebuild } from "../../src/read-model/rebuild.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { comment, comments } from "../events/given.ts";
import { echoOf, expectAsFresh, fragileEcho, givenProject, shownState, tally, tallyOf } from "./given.ts";

/* Catches: a failure that is swallowed, that takes other projections along, or that leaves half an event behind. */

const log7 = [comment("one"), comment("two"), comment("boom"), comment("four")];
const stoppedAtBoom = {
  position: 2,
  lag: 2,
  state: "stopped",
  error: "position 3: this reducer is afraid of boom",
};

async function givenStopped() {
  const project = givenProject();
  const log = project.openLog();
  await log.append(log7);
  const readModel = project.openReadModel([tally, fragileEcho]);
  await catchUp(readModel, log);
  return { ...project, log, readModel };
}

test("a reducer that throws stops its projection before that event, visibly, and no other", async () => {
  const { readModel } = await givenStopped();
  expect(shownState(readModel, "echo")).toEqual(stoppedAtBoom);
  expect(shownState(readModel, "tally")).toEqual({ position: 4, lag: 0, state: "live", error: null });
  expect(readModel.rowsOf(tally.tables).tally?.get(7)).toEqual({ task_id: 7, comments: 4 });
  expect(readModel.position()).toBe(4);
});

test("the rows of the event at which a reducer threw are rolled back", async () => {
  const { readModel } = await givenStopped();
  // The read model itself refuses to answer from the tables of an own projection that stopped.
  expect(readModel.database.prepare("SELECT id, body FROM echo ORDER BY id").all()).toEqual([
    { id: 1, body: "first, then 2" },
    { id: 2, body: "two" },
  ]);
});

test("the same holds when the event comes alone, first of all, or in the midst of others", async () => {
  for (const sizes of [[4], [1, 1, 1, 1], [2, 2], [3, 1]]) {
    const { openLog, openReadModel } = givenProject();
    const log = openLog();
    const readModel = openReadModel([tally, fragileEcho]);
    let done = 0;
    for (const size of sizes) {
      await log.append(log7.slice(done, done + size));
      done += size;
      await catchUp(readModel, log);
    }
    expect(shownState(readModel, "echo"), `batches of ${sizes}`).toEqual(stoppedAtBoom);
    expect(shownState(readModel, "tally")?.position).toBe(4);
  }
});

test("a projection that throws at the very first event stops at position 0", async () => {
  const { openLog, openReadModel } = givenProject();
  const log = openLog();
  await log.append([comment("boom"), comment("two")]);
  const readModel = openReadModel([fragileEcho]);
  expect(await catchUp(readModel, log)).toBe(2);
  expect(shownState(readModel, "echo")).toMatchObject({ position: 0, lag: 2, state: "stopped" });
});

test("a stopped projection stays where it is, with growing lag, also after opening again", async () => {
  const { log, openReadModel } = await givenStopped();
  await log.append(comments(3));
  const again = openReadModel([tally, fragileEcho]);
  await catchUp(again, log);
  expect(shownState(again, "echo")).toEqual({ ...stoppedAtBoom, lag: 5 });
  expect(shownState(again, "tally")).toMatchObject({ position: 7, lag: 0 });
});

test("two projections that throw at different events stop each at its own", async () => {
  const { openLog, openReadModel } = givenProject();
  const log = openLog();
  await log.append(log7);
  const afraidOfFour = {
    ...tallyOf(1),
    on: {
      "comment.added": (event: { position: number }) => {
        if (event.position === 4) throw new Error("four");
      },
    },
  };
  const readModel = openReadModel([afraidOfFour, fragileEcho]);
  await catchUp(readModel, log);
  expect(shownState(readModel, "echo")).toEqual(stoppedAtBoom);
  expect(shownState(readModel, "tally")).toEqual({
    position: 3,
    lag: 1,
    state: "stopped",
    error: "position 4: four",
  });
});

test("a fixed version of a stopped projection is rebuilt automatically and runs again", async () => {
  const { log, openReadModel } = await givenStopped();
  const mended = [tally, echoOf(2, false)];
  const readModel = openReadModel(mended);
  await catchUp(readModel, log);
  expect(shownState(readModel, "echo")).toEqual({ position: 4, lag: 0, state: "live", error: null });
  await expectAsFresh(readModel, log, mended);
});

test("a reducer that throws in a rebuild stops its projection the same way, lag included", async () => {
  const { log, readModel } = await givenStopped();
  const before = readModel.contentHash();
  await rebuild(readModel, log);
  expect(readModel.contentHash()).toBe(before);
  expect(shownState(readModel, "tally")).toEqual({ position: 4, lag: 0, state: "live", error: null });
  expect(shownState(readModel, "echo")).toEqual(stoppedAtBoom);
});

test("a full disk stops no projection: the read model resumes when there is space", async () => {
  const { openLog, openReadModel } = givenProject();
  const log = openLog();
  const readModel = openReadModel([tally, echoOf(1, false)]);
  await log.append(Array.from({ length: 50 }, () => comment("x".repeat(20_000))));
  const pages = Number(readModel.database.pragma("page_count", { simple: true }));
  readModel.database.pragma(`max_page_count = ${pages + 5}`);
  await expect(catchUp(readModel, log)).rejects.toThrow();
  readModel.database.pragma("max_page_count = 1000000");
  await catchUp(readModel, log);
  expect(shownState(readModel, "echo")).toEqual({ position: 50, lag: 0, state: "live", error: null });
});
