import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../../../src/api/project.ts";
import { redact } from "../../../../src/history/redaction/redact.ts";
import { openHistory } from "../../../../src/history/time-travel/history/history.ts";
import { createTask } from "../../../../src/operations/tasks.ts";
import { findTask } from "../../../../src/queries/tasks.ts";
import { hashOf } from "../../../properties/reducing.ts";
import { freshFolder } from "../../../support/project.ts";
import { emptyPlace } from "../given.ts";
import { hashIn, historyOf, makeWhole } from "./given.ts";

const SECRET = "sk-live-7f3a9c0d";

async function givenSecret() {
  const folder = freshFolder();
  await initProject(folder);
  const project = await openProject(folder);
  await project.decide(createTask({ title: "Export", description: `Use ${SECRET} for it` }));
  await project.decide(createTask({ title: "Mail it" }));
  const { store } = project;
  const redactSecret = () =>
    redact(
      store,
      readModelPathIn(folder),
      { position: 3, reason: "a live key" },
      { actor: "human", wait_ms: 5_000 },
    );
  return { folder, project, redactSecret, history: openHistory(store.log, readModelPathIn(folder)) };
}

test("a redaction removes the history, and no position of the next one has the redacted text", async () => {
  const { folder, project, redactSecret, history } = await givenSecret();
  await makeWhole(history);
  expect(filesWithSecret(join(folder, ".ralph", "history"))).not.toEqual([]);
  const { left, unclean } = await redactSecret();
  expect([left, unclean]).toEqual([[], []]);
  expect(() => hashIn(history, 3)).toThrow(/built up to position 0/);
  await makeWhole(history);
  const events = await project.log.read(0, 100);
  for (let position = 0; position <= events.length; position++) {
    expect(hashIn(history, position)).toBe(hashOf(events.slice(0, position)));
  }
  expect(history.asOf(3, (readModel) => findTask(readModel, 1)?.description)).toContain("[redacted]");
  expect(filesWithSecret(folder)).toEqual([]);
  history.close();
  await project.close();
});

test("a history that meets a redaction of its own event is rebuilt, whoever redacted it", async () => {
  const { project, redactSecret, history } = await givenSecret();
  history.close();
  // One that is not beside the log, and so is not dropped with the redaction.
  const { path } = emptyPlace();
  const other = historyOf(project.log, path);
  await makeWhole(other);
  await redactSecret();
  expect(other.head).toBe(4);
  await other.advance();
  expect(other.head).toBe(0);
  await makeWhole(other);
  expect(hashIn(other, 5)).toBe(hashOf(await project.log.read(0, 100)));
  expect(filesWithSecret(join(dirname(path), ".."))).toEqual([]);
  other.close();
  await project.close();
});

function filesWithSecret(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return files.filter((path) => statSync(path).isFile() && readFileSync(path).includes(SECRET));
}
