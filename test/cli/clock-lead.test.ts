import { expect, test } from "vitest";
import { initProject, readModelPathIn } from "../../src/api/project.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { comment, environmentAt } from "../events/given.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";

test("status says how far a log is ahead of the clock that a wrong clock wrote to, as doctor does, and how to go on", async () => {
  const cwd = freshFolder();
  await initProject(cwd);
  expect(await signalboxJson(["status"], { cwd })).toMatchObject({ clock_lead: null });
  const now = Date.UTC(2245, 1, 11, 10, 23, 15) * 1_000;
  const log = openSqliteLog(logPathBeside(readModelPathIn(cwd)), environmentAt({ now }, "wrong"));
  await log.append([comment("of a wrong clock")]);
  await log.close();

  expect(await signalboxJson(["status"], { cwd })).toMatchObject({
    events: 3,
    clock_lead: {
      from_position: 3,
      recorded_at: "2245-02-11T10:23:15.000000Z",
      seconds: expect.toSatisfy((seconds: number) => seconds > 365 * 86_400),
    },
  });
  const found =
    /the last event is stamped 2245-02-11 10:23:15 UTC, \d+ d \d+ h ahead of this machine's clock/;
  const status = await signalbox(["status"], { cwd });
  expect(status.stdout).toMatch(found);
  expect(status.stdout).toContain("`--at 2`");
  expect((await signalbox(["status", "--at", "2"], { cwd })).stdout).not.toMatch(found);
  expect((await signalbox(["doctor"], { cwd })).stdout).toMatch(found);
});
