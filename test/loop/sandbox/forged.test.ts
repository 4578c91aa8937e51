// @module-tag bwrap
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initProject } from "../../../src/api/project.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { useBundle } from "../../children.ts";
import { signalbox } from "../../support/cli.ts";
import { freshFolder, reopened } from "../../support/project.ts";
import { statuses, stepsOf } from "../given-loop.ts";
import { eventsOf, givenMerges } from "../merge/given-merges.ts";

/* Catches: an agent in the sandbox whose branch makes the project's log, or who may act on it, another's. */

const { path: agent } = useBundle("test/loop/sandbox/children/work.ts");

const PAGE = 4_096;

/** A rollback journal by which SQLite puts the pages of one database over another's (its file format, 3). */
function journalOf(database: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.writeBigUInt64BE(0xd9d505f920a163d7n);
  const pages = database.length / PAGE;
  for (const [at, value] of [
    [8, pages],
    [16, pages],
    [20, 512],
    [24, PAGE],
  ] as const)
    header.writeUInt32BE(value, at);
  const records = Array.from({ length: pages }, (_, index) => {
    const page = database.subarray(index * PAGE, (index + 1) * PAGE);
    const record = Buffer.alloc(PAGE + 8);
    record.writeUInt32BE(index + 1);
    page.copy(record, 4);
    let sum = 0;
    for (let at = PAGE - 200; at > 0; at -= 200) sum += page[at] ?? 0;
    record.writeUInt32BE(sum, PAGE + 4);
    return record;
  });
  return Buffer.concat([header, ...records]);
}

/** The log of a project of the agent's own, with a gate that says on whose machine it runs. */
async function forgedLog(mark: string): Promise<Buffer> {
  const folder = freshFolder();
  await initProject(folder);
  await reopened(folder, (project) =>
    project.decide(
      createTask({ title: "Forged", gates: [{ command: `touch ${mark}`, max: 3, timeout_s: 10 }] }),
    ),
  );
  return readFileSync(join(folder, ".ralph/db/events.db"));
}

test.each(["auto", "ask"])(
  "a forged rollback journal from the sandbox, with integrate %s, gets nowhere",
  async (integrate) => {
    const [mark, given] = [join(freshFolder(), "ran"), freshFolder()];
    const [journal, script] = [join(given, "journal"), join(given, "agent.sh")];
    const forged = await forgedLog(mark);
    writeFileSync(journal, journalOf(forged));
    writeFileSync(
      script,
      `set -e
mkdir -p .ralph/db
cp ${journal} .ralph/db/events.db-journal
git add -f .ralph/db/events.db-journal
git commit -q -m "Useful work"`,
    );
    const loop = await givenMerges(agent, {
      worktrees: { integrate },
      tasks: [{ title: "Export" }],
      config: {
        agents: { work: { kind: "command", command: `${process.execPath} ${agent} ${script} {mcp_config}` } },
        agent: "work",
        relay: { folder: freshFolder() },
        sandbox: { mounts: [agent, script, journal] },
      },
    });
    const path = loop.path(".ralph/db/events.db-journal");
    const before = (await loop.project.log.read(0, 1_000)).map(({ id }) => id);
    const { steps } = await loop.run("--sandbox", "bwrap", "--once");
    expect(stepsOf(steps, "session_ended")).toMatchObject([{ closing: "done" }]);
    expect(loop.git("log", "-1", "--format=%s", "signalbox/task-1")).toBe("Useful work");
    expect(loop.git("log", "-1", "--format=%s", "main")).toBe("A list");
    expect(existsSync(path)).toBe(false);
    expect(await loop.project.queries.inbox()).toMatchObject([{ kind: "merge", task: 1 }]);
    const told = { problem: expect.stringContaining('".ralph/db/events.db-journal"') };
    // At the session's end, and before a merge.
    const times = integrate === "auto" ? [told, told] : [told];
    expect(await eventsOf(loop.project, "workspace.committed")).toMatchObject(times);

    // A human who merges it all the same is told, and nothing of it is taken.
    await loop.project.close();
    loop.git("merge", "--quiet", "signalbox/task-1");
    expect(existsSync(path)).toBe(true);
    for (const args of [["status"], ["gate", "run", "1"], ["run", "--once"]]) {
      const ran = await signalbox(args, { cwd: loop.folder });
      expect(ran.exitCode, ran.stderr).not.toBe(0);
      expect(ran.stderr).toContain("events.db-journal");
    }
    expect(existsSync(mark)).toBe(false);
    loop.git("reset", "--quiet", "--hard", "HEAD~1");
    const after = await reopened(loop.folder, async (project) => {
      expect(await statuses(project)).toEqual({ 1: "done" });
      return (await project.log.read(0, 1_000)).map(({ id }) => id);
    });
    expect(after.slice(0, before.length)).toEqual(before);
  },
);
