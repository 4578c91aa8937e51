import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { JOURNAL_BYTES } from "../../src/events/journal.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { comment } from "../events/given.ts";
import { givenProject, givenReduced, history, learned } from "./given.ts";

/* Catches: a read model that writes many times what the log does, and a -wal that stays as large as it once was. */

const sizeOf = (path: string) => statSync(path).size;
const origin = { task: 7, session: "s-1" };
const WORDS =
  "The upload drops its second part when two of them arrive within one second, so that a retry finds";

/** One report of each kind, as an agent words it. */
function reports(number: number): Draft[] {
  const signals: Draft[] = [
    {
      type: "signal.partial",
      payload: { ...origin, summary: `${WORDS} ${number}.`, remaining: WORDS },
      actor: "agent",
    },
    {
      type: "signal.flag",
      payload: { ...origin, what: `${WORDS} ${number}`, severity: "info", category: "bug" },
      actor: "agent",
    },
    {
      type: "signal.ask",
      payload: { ...origin, question: `${WORDS} ${number}?`, blocking: false },
      actor: "agent",
    },
    {
      type: "signal.suggest",
      payload: { ...origin, what: `${number} ${WORDS}`, kind: "split", why: WORDS },
      actor: "agent",
    },
    {
      type: "signal.blocked",
      payload: { ...origin, on: `${number} ${WORDS}`, kind: "external" },
      actor: "agent",
    },
  ];
  return [...signals, learned(`${number} part${number} upload${number} retries in ${number} steps`)];
}

test("a report writes at most three bytes to the read model for each byte to the log", async () => {
  const { log, readModel, logPath, readModelPath } = await givenReduced(history());
  const written = () => [sizeOf(`${logPath}-wal`), sizeOf(`${readModelPath}-wal`)] as const;
  const before = written();
  for (let number = 0; number < 10; number++) {
    for (const report of reports(number)) {
      await log.append([report]);
      await catchUp(readModel, log);
    }
  }
  const after = written();
  // Nothing was checkpointed meanwhile: all that was written is in the journals.
  for (const size of after) expect(size).toBeLessThan(JOURNAL_BYTES);
  expect((after[1] - before[1]) / (after[0] - before[0])).toBeLessThan(3);
});

test("the -wal of the log and that of the read model become small again", async () => {
  const { openLog, openReadModel, logPath, readModelPath } = givenProject();
  const log = openLog();
  const readModel = openReadModel();
  const large = Array.from({ length: 80 }, (_, index) => comment("x".repeat(99_000) + index));
  await log.append(large);
  await catchUp(readModel, log);
  const journals = [`${logPath}-wal`, `${readModelPath}-wal`];
  for (const path of journals) expect(sizeOf(path)).toBeGreaterThan(JOURNAL_BYTES);
  // A journal begins anew with what is written after its checkpoint.
  await log.append([comment("small")]);
  await catchUp(readModel, log);
  for (const path of journals) expect(sizeOf(path), path).toBeLessThanOrEqual(JOURNAL_BYTES);
});
