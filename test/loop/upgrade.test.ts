import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { BATCH_LIMIT } from "../../src/events/log.ts";
import { comment } from "../events/given.ts";
import { loopHere } from "./loop-here.ts";

/* Catches: a loop that stops, or begins, by what an older version of the program had made of the log. */

test("a loop that starts after an upgrade decides by the new tables", async () => {
  const { project, run } = await loopHere();
  for (let head = await project.log.head(); head < 20_500; head += BATCH_LIMIT) {
    await project.log.append(Array.from({ length: BATCH_LIMIT }, () => comment("So.")));
  }
  await project.queries.tasks();
  const older = new Database(project.store.readModel.database.name);
  older.exec("UPDATE projections SET version = version - 1; UPDATE tasks SET status = 'done'");
  older.close();
  const { sessions } = await run(async () => "seen enough");
  expect(sessions).toBeGreaterThan(0);
});
