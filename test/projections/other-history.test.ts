import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Acknowledged } from "../../src/events/acknowledged.ts";
import type { EventLog } from "../../src/events/log.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { describeKept, keepHistory, keptHistories } from "../../src/read-model/other-history.ts";
import { id } from "../events/given.ts";
import { freshProject } from "../support/project.ts";

test("what is kept of a former history is kept once, also where a kill came between, and beside that of another", async () => {
  const { project, folder, db } = await freshProject();
  const acknowledged = new Acknowledged(join(folder, "acknowledged"));
  onTestFinished(() => acknowledged.close());
  const { log, readModel } = project.store;
  const shared: EventLog = Object.assign(Object.create(log), {
    acknowledged,
    head: () => log.head(),
    read: (after: number, limit: number) => log.read(after, limit),
    find: (id: string) => log.find(id),
    identity: async () => ({ log: undefined, epoch: 2 }),
  });
  const gone = [90, 91].map((position) => ({ position, id: id(position) }));
  acknowledged.note(gone);
  const before = readModel.position();
  const first = { path: `${db}.before-2`, list: { epoch: 2, position: before, lost: gone } };

  await Promise.all([keepHistory(readModel, shared, before), keepHistory(readModel, shared, before)]);
  acknowledged.note(gone);
  await keepHistory(readModel, shared, before);
  await keepHistory(readModel, shared, before);
  expect(keptHistories(db)).toEqual([first]);

  await project.decide(createTask({ title: "on the second history, which is replaced, too" }));
  const position = readModel.position();
  await keepHistory(readModel, shared, position);
  const second = { path: `${db}.before-2-at-${position}`, list: { epoch: 2, position, lost: [] } };
  expect(keptHistories(db)).toEqual([first, second]);

  writeFileSync(`${second.path}.json`, "{");
  expect(keptHistories(db).map(describeKept)).toEqual([
    expect.objectContaining({
      found: "another history took the log's place (epoch 2): it lacks 2 events that this host had recorded",
    }),
    expect.objectContaining({ found: expect.stringContaining(".json, cannot be read") }),
  ]);
});
