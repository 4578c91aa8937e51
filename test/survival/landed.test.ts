import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { useBundle } from "../children.ts";
import { everythingIn, temporaryFolder } from "../events/given.ts";
import { copyProject } from "../support/project.ts";
import { closedProject } from "./prepared-projects.ts";
import { filesOfLog, injectedIn, recordCalls, SYNCS, startFailingAt, WRITES } from "./system-calls.ts";

const { path: script } = useBundle("test/survival/children/append-without-ids.ts");

test("a batch without ids of its own that landed although the disk failed is answered with the places that it has", {
  tags: "strace",
}, async () => {
  const folder = temporaryFolder();
  try {
    const origin = join(folder.path, "origin");
    mkdirSync(origin);
    await closedProject(join(origin, "ralph.db"));
    const copyTo = (name: string) => {
      copyProject(origin, join(folder.path, name));
      return join(folder.path, name, "ralph.db");
    };
    const recorded = copyTo("recorded");
    const calls = await recordCalls(
      [...WRITES, ...SYNCS],
      filesOfLog(recorded),
      join(folder.path, "recorded.trace"),
      [script, logPathBeside(recorded)],
    );
    let landed = 0;
    for (const [index, call] of calls.entries()) {
      const path = copyTo(`fault-${index}`);
      const trace = join(folder.path, `${index}.trace`);
      const child = startFailingAt(call, "EIO", 1, filesOfLog(path), trace, [script, logPathBeside(path)]);
      const [line = ""] = await child.finish();
      const answer = JSON.parse(line);
      if (!Array.isArray(answer)) {
        expect(answer).toMatch(/^LogError/);
        continue;
      }
      landed += Math.min(1, injectedIn(trace));
      const log = openSqliteLog(logPathBeside(path), systemEnvironment());
      const stored = (await everythingIn(log)).slice(-3).map(({ position, id }) => ({ position, id }));
      await log.close();
      expect(answer, `${call.name} ${call.nth}`).toEqual(stored);
    }
    expect(landed).toBeGreaterThan(0);
  } finally {
    folder.remove();
  }
});
