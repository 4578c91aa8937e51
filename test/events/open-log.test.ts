import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, openLog } from "../../src/events/open-log.ts";
import { freshFolder } from "../support/project.ts";
import { environmentAt, NOON } from "./given.ts";

const environment = environmentAt({ now: NOON }, "open-log");

test("a log in a file is created for its owner alone, opened, and created only once", async () => {
  const location = { path: join(freshFolder(), "events.db") };
  await expect(openLog(location, environment)).rejects.toMatchObject({ name: "LogError", code: "disk" });
  await createLog(location);
  expect(statSync(location.path).mode & 0o777).toBe(0o600);
  const log = await openLog(location, environment);
  await log.append([{ type: "signal.flag", actor: "agent", payload: flag }]);
  await log.close();
  await createLog(location);
  const again = await openLog(location, environment);
  expect(await again.head()).toBe(1);
  await again.close();
});

const flag = {
  task: 1,
  session: "s-1",
  what: "it is slow",
  severity: "info",
  category: "performance",
} as const;
