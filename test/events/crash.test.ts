import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { closeStore, logPathBeside, openStore } from "../../src/decisions/store.ts";
import { systemEnvironment } from "../../src/environment.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { ReadModel } from "../../src/projections/read-model.ts";
import { catchUp } from "../../src/projections/worker.ts";
import { useChild } from "../children.ts";
import { everythingIn, numbers, positionsOf, temporaryFolder } from "./given.ts";
import { batchesOf } from "./marked-batch.ts";

/*
 * Catches: an acknowledgement before the commit, a batch in two transactions, a read model whose rows and checkpoint
 * do not change together. (That a commit also survives a power cut is fsync.test.ts.)
 */
const startChild = useChild("test/events/children/append-until-killed.ts");

const KILLS = Number(process.env.SIGNALBOX_KILLS ?? 50);
/** Children that work on the log at once; each is killed at a moment of its own. */
const AT_ONCE = 5;

test(`${KILLS} kills at random moments lose nothing that was acknowledged, tear no batch, and harm no read model`, async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, "ralph.db");
  createLogFile(logPathBeside(path));

  const moments = fc.sample(
    fc.record({
      acknowledged: fc.integer({ min: 1, max: 25 }),
      then_ms: fc.double({ min: 0, max: 6, noNaN: true }),
    }),
    KILLS,
  );
  const acknowledged = new Map<string, number[]>();
  for (let done = 0; done < KILLS; done += AT_ONCE) {
    const round = moments.slice(done, done + AT_ONCE);
    await Promise.all(
      round.map(async ({ acknowledged: count, then_ms }, index) => {
        const child = startChild(path, `child${done + index}`);
        const answers: string[] = [];
        for await (const line of child.lines) {
          answers.push(line);
          if (answers.length === count) {
            await delay(then_ms);
            child.process.kill("SIGKILL");
          }
        }
        await child.kill();
        expect(child.process.signalCode).toBe("SIGKILL");
        // The last line may have been cut off by the kill; only a whole one is an acknowledgement.
        for (const answer of answers) if (answer.endsWith("]]")) acknowledged.set(...answerOf(answer));
      }),
    );
  }

  const store = openStore(path, systemEnvironment());
  const events = await everythingIn(store.log);
  expect(positionsOf(events)).toEqual(numbers(events.length));
  const batches = batchesOf(events);
  expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS);
  for (const [batch, positions] of acknowledged) expect(batches.get(batch)).toEqual(positions);

  await catchUp(store.readModel, store.log);
  const fresh = new ReadModel(":memory:");
  await catchUp(fresh, store.log);
  expect(store.readModel.contentHash()).toBe(fresh.contentHash());
  expect(store.readModel.checkpoints.list().every(({ state }) => state === "live")).toBe(true);
  expect(store.readModel.database.pragma("integrity_check", { simple: true })).toBe("ok");
  fresh.close();
  await closeStore(store);
});

function answerOf(line: string): [string, number[]] {
  const [batch, positions]: [string, number[]] = JSON.parse(line);
  return [batch, positions];
}
