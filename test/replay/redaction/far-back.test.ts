import { copyFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { redactionOf } from "../../../adapters/testing/log-contract/redaction-of.ts";
import { initProject, openProject, prepareFolder, readModelPathIn } from "../../../src/api/project.ts";
import { trustLog } from "../../../src/config/known-log.ts";
import { closeStore, openStore } from "../../../src/decisions/store.ts";
import { systemEnvironment } from "../../../src/decisions/system-environment.ts";
import type { EventLog } from "../../../src/events/log.ts";
import { logPathBeside } from "../../../src/events/log-location.ts";
import { redact } from "../../../src/history/redaction/redact.ts";
import { stateInHistory } from "../../../src/history/time-travel/history/state-in-history.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { comment, comments, everythingIn, numbers } from "../../events/given.ts";
import { freshFolder } from "../../support/project.ts";
import { emptyPlace, logOf } from "../time-travel/given.ts";
import { historyOf, makeWhole } from "../time-travel/history/given.ts";

/*
 * Redactions of what lies far back: in an older schema version, or more than a page of 1,000 events ago. Catches: a redaction
 * that keeps a payload in the version of the event, and so is refused; a look at the first page of a stream alone.
 */
const SECRET = "sk-live-7f3a9c0d";
const options = { actor: "human", wait_ms: 5_000 };

test("an event of an older schema version can be redacted, and the kept part has the current version", async () => {
  const { path, store } = await givenOldProject();
  const { log } = store;
  const old = (await everythingIn(log)).find(({ type }) => type === "gate.attempted");
  const { redaction, fields } = await redact(
    store,
    path,
    { position: old?.position ?? 0, reason: "a live key" },
    options,
  );
  expect([old?.schemaVersion, redaction.payload]).toMatchObject([1, { schema_version: 2 }]);
  expect(fields).toContain("stdout.head");
  expect(await log.find(old?.id ?? "")).toEqual({
    ...old,
    payload: { ...old?.payload, stdout: { head: "[redacted]", tail: "", omitted_characters: 0 } },
    redacted: redaction.position,
  });
});

test("a redaction more than 1,000 events back lists all other events with the same text", async () => {
  const folder = freshFolder();
  await initProject(folder);
  const { store, log } = await openProject(folder);
  onTestFinished(() => closeStore(store));
  for (const count of [999, 1_000, 0]) await log.append([comment(SECRET), ...comments(count)]);
  const { also } = await redact(store, readModelPathIn(folder), { position: 3, reason: "a key" }, options);
  expect(also).toEqual([1_003, 2_004]);
});

test("a history is not used after a redaction, even behind more than 1,000 others", async () => {
  const log = await givenRedacted(1_001);
  const { path } = emptyPlace();
  const history = historyOf(log, path);
  await makeWhole(history);
  history.close();
  const warnings: string[] = [];
  const head = await log.head();
  const state = async () => stateInHistory(path, log, head, (sentence) => warnings.push(sentence));
  (await state())?.close();
  expect(warnings).toEqual([]);
  await log.append([await redactionOf(log, 1_002)]);
  expect(await state()).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining("an event was redacted since")]);
});

/** A project whose log was written by an older version of the program. */
async function givenOldProject() {
  const path = prepareFolder(freshFolder());
  copyFileSync(packagePath("fixtures/logs/schema-v2.db"), logPathBeside(path));
  const store = await openStore(path, systemEnvironment());
  onTestFinished(() => closeStore(store));
  await trustLog(store.log, path);
  return { path, store };
}

/** A log of comments, of which all but the last are redacted. */
async function givenRedacted(count: number): Promise<EventLog> {
  const log = await logOf([]);
  await log.append([...comments(count), comment(SECRET)]);
  await log.append(await Promise.all(numbers(count).map((position) => redactionOf(log, position))));
  return log;
}
