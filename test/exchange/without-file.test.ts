import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { redactionOf } from "../../adapters/testing/log-contract/redaction-of.ts";
import { Project } from "../../src/api/project.ts";
import { closeStore, type Store } from "../../src/decisions/store.ts";
import type { EventLog } from "../../src/events/log.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { createLog, openLog } from "../../src/events/open-log.ts";
import { copyLogByRecords } from "../../src/events/sqlite-backup.ts";
import { prove } from "../../src/history/audit/prove.ts";
import { headOf, readTree } from "../../src/history/audit/tree.ts";
import { verifyLog } from "../../src/history/audit/verify-log.ts";
import { redact } from "../../src/history/redaction/redact.ts";
import { exportHistory, importHistory } from "../../src/history/time-travel/history/carry.ts";
import { createGeneral } from "../../src/operations/general.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { copyInMemory } from "../../src/outside/exchange/import-source.ts";
import { restoreOver } from "../../src/outside/exchange/restore-log.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp, rebuildAll } from "../../src/read-model/worker.ts";
import { comments, everythingIn } from "../events/given.ts";
import { historyOf, makeWhole } from "../replay/time-travel/history/given.ts";
import { verifyLog as verifyFile } from "../support/audited-files.ts";
import { freshFolder } from "../support/project.ts";
import { coded } from "../support/refusal.ts";
import { withoutFile } from "../support/without-file.ts";
import { chunksOf, environment, exportedFrom } from "./given.ts";

/* Catches: whatever takes the log's file behind the port's back, which a log on a server does not have. */
const SECRET = "sk-live-7f3a9c0d";

/** Opens an empty log that has no file for its users; the folder is the project's. */
const kinds: readonly [string, (folder: string) => Promise<EventLog>][] = [
  ["a log in memory", async () => openMemoryLog(environment)],
  [
    "a log that does not tell its file",
    async (folder) => {
      const path = join(folder, "elsewhere.db");
      await createLog({ path });
      const log = withoutFile(await openLog({ path }, environment));
      onTestFinished(() => log.close());
      return log;
    },
  ],
];

async function given(open: (folder: string) => Promise<EventLog>) {
  const folder = freshFolder();
  const readModelPath = join(folder, ".ralph/db/ralph.db");
  mkdirSync(join(folder, ".ralph/db"), { recursive: true });
  const store: Store = { log: await open(folder), readModel: new ReadModel(readModelPath), environment };
  onTestFinished(() => closeStore(store));
  const project = new Project(store, "human");
  return { folder, readModelPath, store, project, log: store.log };
}

/** With tasks, and a redacted one further from its redaction than a page. */
async function givenWork(open: (folder: string) => Promise<EventLog>) {
  const all = await given(open);
  await all.project.decide(createGeneral());
  await all.project.decide(createTask({ title: "Export", description: SECRET }));
  await all.log.append(
    comments(1_500).map((comment) => ({ ...comment, payload: { ...comment.payload, task: 1 } })),
  );
  await all.log.append([await redactionOf(all.log, 3)]);
  return all;
}

test.each(kinds)("%s is exported and imported into another, and the import resumes", async (_, open) => {
  const { log } = await givenWork(open);
  const text = await exportedFrom(log);
  expect(text).not.toContain(SECRET);
  const { log: other } = await given(open);
  const half = await log.records(0, 2);
  await other.restore(half);
  const restore = (target: EventLog, dryRun = false) =>
    restoreOver(target, chunksOf(text), environment, { dryRun });
  expect(await restore(other, true)).toMatchObject({ before: 2, restored: 1_502 });
  expect(await other.head()).toBe(2);
  expect(await restore(other)).toMatchObject({ before: 2, restored: 1_502, replaced: 0 });
  expect(await exportedFrom(other)).toBe(text);
  expect(await restore(other)).toMatchObject({ restored: 0 });
  const { log: empty } = await given(open);
  expect(await restore(empty)).toMatchObject({ before: 0, restored: 1_504 });
  expect(await exportedFrom(empty)).toBe(text);
});

test.each(kinds)("%s with the events of init or of another history takes no import", async (_, open) => {
  const { log } = await givenWork(open);
  const text = await exportedFrom(log);
  const { log: begun, project } = await given(open);
  await project.decide(createGeneral());
  const events = await everythingIn(begun);
  await expect(restoreOver(begun, chunksOf(text), environment)).rejects.toMatchObject(
    coded("differs", "to an empty log with `signalbox fleet move`"),
  );
  expect(await everythingIn(begun)).toEqual(events);
  await project.decide(createTask({ title: "Another" }));
  await expect(restoreOver(begun, chunksOf(text), environment)).rejects.toMatchObject({ code: "differs" });
});

test.each(kinds)("a backup of %s is a file with the same leaf hashes", async (_, open) => {
  const { log, folder } = await givenWork(open);
  const to = join(folder, "backup.db");
  const copy = await copyLogByRecords(log, to, environment);
  const events = await everythingIn(log);
  expect(copy).toEqual({ head: 1_504, leafHash: events.at(-1)?.leafHash });
  expect(statSync(to).mode & 0o777).toBe(0o600);
  for (const end of ["-wal", "-shm", "-journal"]) expect(existsSync(`${to}${end}`)).toBe(false);
  const { head, damage, redacted } = await verifyFile(to);
  expect({ damage, redacted }).toEqual({ damage: undefined, redacted: [{ position: 3, redaction: 1_504 }] });
  expect(head).toEqual((await verifyLog(log)).head);
  const opened = await openLog({ path: to }, environment);
  expect(await everythingIn(opened)).toEqual(events);
  await opened.close();
  await expect(copyLogByRecords(log, to, environment)).rejects.toThrow("was not overwritten");
});

test.each(kinds)("%s is verified and proved as it is stored", async (_, open) => {
  const { log } = await givenWork(open);
  const { damage, events, head } = await verifyLog(log);
  expect({ damage, events }).toEqual({ damage: undefined, events: 1_504 });
  expect(headOf(await readTree(log))).toEqual(head);
  expect((await prove(log, 3)).redaction).toBe(1_504);
  expect((await prove(log, 2)).event.payload).toContain("general");
});

test.each(kinds)("a dry run of another program's import works on a copy of %s", async (_, open) => {
  const { store, log } = await givenWork(open);
  const copy = await copyInMemory(store);
  expect(await everythingIn(copy.log)).toEqual(await everythingIn(log));
  await closeStore(copy);
});

test.each(kinds)("the read model of %s is built and rebuilt", async (_, open) => {
  const { store } = await givenWork(open);
  expect(await catchUp(store.readModel, store.log)).toBe(1_504);
  const hash = store.readModel.contentHash();
  await rebuildAll(store.readModel, store.log);
  expect(store.readModel.contentHash()).toBe(hash);
});

test.each(kinds)("the history of %s is carried to another copy of it", async (_, open) => {
  const { log, readModelPath, folder } = await givenWork(open);
  const history = historyOf(log, readModelPath);
  await makeWhole(history);
  history.close();
  const file = join(folder, "shop.history");
  await exportHistory(readModelPath, file);
  const there = await given(open);
  await restoreOver(there.log, chunksOf(await exportedFrom(log)), environment);
  expect(await importHistory(file, there)).toEqual({ position: 1_504 });
});

test.each(kinds)("a redaction in %s says that its operator must clean, until he did", async (_, open) => {
  const { store, readModelPath, project } = await given(open);
  await project.decide(createGeneral());
  await project.decide(createTask({ title: "Export", description: SECRET }));
  // A file that would be cleaned in its place.
  const beside = logPathBeside(readModelPath);
  writeFileSync(beside, "no log");
  const { unclean, left } = await redact(
    store,
    readModelPath,
    { position: 3, reason: "a secret" },
    { actor: "human", wait_ms: 0 },
  );
  expect(unclean).toEqual([{ file: expect.any(String), why: "on_server" }]);
  expect(left).toEqual([]);
  renameSync(beside, `${beside}.old`);
});
