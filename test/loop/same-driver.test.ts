import { Subject } from "rxjs";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config.ts";
import { listDrivers } from "../../src/loop/drivers/registry.ts";
import { runLoop } from "../../src/loop/run.ts";
import type { Step } from "../../src/loop/steps.ts";
import { freshProject } from "../support/project.ts";

test("a second run under a driver's name is refused, and leaves the first one its sign of life", async () => {
  const { project, db } = await freshProject();
  const finish = new Subject<string>();
  const steps = new Subject<Step>();
  const run = () =>
    runLoop(project, {
      readModelPath: db,
      config: parseConfig({ agent: "pretend" }, ""),
      driver: "d-1",
      wait: true,
      finish,
      cancel: new Subject<string>(),
      tell: (step) => steps.next(step),
    });
  const waits = new Promise<void>((resolve) => {
    steps.subscribe(({ step }) => step === "waiting" && resolve());
  });
  const first = run();
  await waits;
  await expect(run()).rejects.toMatchObject({
    code: "nothing_to_do",
    message: "The loop d-1 was started under this key already.",
  });
  expect(listDrivers(db)).toMatchObject([{ driver: "d-1", alive: true }]);
  const loops = await project.queries.sql("SELECT driver FROM loops WHERE stopped_at IS NULL");
  expect(loops).toEqual([{ driver: "d-1" }]);
  finish.next("enough");
  expect(await first).toMatchObject({ ending: "signal" });
  expect(listDrivers(db)).toEqual([]);
});
