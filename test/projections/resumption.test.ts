import { expect, onTestFinished, test } from "vitest";
import { openMemoryLog } from "../../src/events/memory-log.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { catchUp } from "../../src/read-model/worker.ts";
import { useChild } from "../children.ts";
import { comments, environmentAt, NOON } from "../events/given.ts";
import { echo, expectAsFresh, givenProject, history } from "./given.ts";

/* Catches: a reduction that begins anew, passes events over, or takes some twice after it was killed or interrupted. */

const startReducing = useChild("test/events/children/reduce-and-hang.ts");

/** Notes which events it is given, and fails at a batch if it is to. */
class Watched extends ReadModel {
  readonly batches: { readonly first: number | undefined; readonly last: number | undefined }[] = [];
  failsAt: number | undefined;

  override advance(...[events, head]: Parameters<ReadModel["advance"]>): boolean {
    if (this.batches.length === this.failsAt) throw new Error("interrupted");
    this.batches.push({ first: events[0]?.position, last: events.at(-1)?.position });
    return super.advance(events, head);
  }
}

test("a reduction killed between two batches resumes where it was", async () => {
  const { openLog, logPath, readModelPath } = givenProject();
  const log = openLog();
  const first = history();
  await log.append([...first, ...comments(900 - first.length)]);
  for (let hundreds = 0; hundreds < 16; hundreds++) await log.append(comments(100));
  const child = startReducing(logPath, readModelPath);
  expect(await child.says()).toBe("1000");
  await child.kill();

  const readModel = new Watched(readModelPath);
  onTestFinished(() => readModel.close());
  expect(readModel.position()).toBe(1_000);
  await catchUp(readModel, log);
  expect(readModel.batches).toEqual([
    { first: 1_001, last: 2_000 },
    { first: 2_001, last: 2_500 },
  ]);
  await expectAsFresh(readModel, log);
});

test("a reduction interrupted by an error resumes with the failed batch", async () => {
  const log = openMemoryLog(environmentAt({ now: NOON }, "interrupted"));
  for (let thousands = 0; thousands < 3; thousands++) await log.append(comments(1_000));
  const readModel = new Watched(":memory:", [echo]);
  onTestFinished(() => readModel.close());
  readModel.failsAt = 1;
  await expect(catchUp(readModel, log)).rejects.toThrow("interrupted");
  expect(readModel.position()).toBe(1_000);
  readModel.failsAt = undefined;
  await catchUp(readModel, log);
  expect(readModel.batches.map(({ first }) => first)).toEqual([1, 1_001, 2_001]);
  expect(readModel.rowsOf(echo.tables).echo?.scan()).toHaveLength(3_000);
});
