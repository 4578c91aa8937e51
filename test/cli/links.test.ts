import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { makeRepository } from "../loop/given-loop.ts";
import { fails, signalbox } from "../support/cli.ts";
import { freshFolder, freshProject } from "../support/project.ts";

/* Catches: a symbolic link that git has brought in place of one of our folders or files, and that we write through. */
async function given() {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export", gates: [{ command: "true", max: 1, timeout_s: 10 }] }));
  await project.close();
  makeRepository(folder);
  return { folder, target: freshFolder() };
}

test.each([
  [".ralph/worktrees", ["run", "--once", "--agent", "true {task}", "--worktrees"]],
  [".ralph/run", ["run", "--once", "--agent", "true {task}"]],
  [".ralph/run", ["gate", "run", "1"]],
  [".ralph/run", ["launch", "signals", "--task", "1"]],
  [".ralph/drivers", ["run", "--once", "--agent", "true {task}"]],
  [".ralph/drivers", ["driver", "beat", "d-1"]],
])(
  "%s that is a symbolic link is refused by `%s`, and nothing is written where it leads",
  async (name, args) => {
    const { folder, target } = await given();
    rmSync(join(folder, name), { recursive: true, force: true });
    symlinkSync(target, join(folder, name));
    const ran = await signalbox(args, { cwd: folder });
    expect(ran).toMatchObject(fails(3, `${join(folder, name)} is a symbolic link`));
    expect(readdirSync(target)).toEqual([]);
  },
);

test.each(["ralph.db", "ralph.db-wal", "events.db", "events.db-wal"])(
  ".ralph/db/%s that is a symbolic link is refused, and its target stays unchanged",
  async (name) => {
    const { folder, target } = await given();
    const path = join(folder, ".ralph", "db", name);
    rmSync(path, { force: true });
    writeFileSync(join(target, "precious"), "mine");
    symlinkSync(join(target, "precious"), path);
    for (const args of [["status"], ["mcp"], ["init"]]) {
      const ran = await signalbox(args, {
        cwd: folder,
        env: { RALPH_DB_PATH: join(folder, ".ralph/db/ralph.db") },
      });
      if (args[0] === "status") expect(ran).toMatchObject(fails(3, `${path} is a symbolic link`));
    }
    expect(readdirSync(target)).toEqual(["precious"]);
    expect(readFileSync(join(target, "precious"), "utf8")).toBe("mine");
  },
);

test("a log that was moved away and linked to is not appended to", async () => {
  const { folder, target } = await given();
  const path = join(folder, ".ralph", "db", "events.db");
  renameSync(path, join(target, "events.db"));
  symlinkSync(join(target, "events.db"), path);
  const before = readFileSync(join(target, "events.db"));
  const ran = await signalbox(["task", "add", "Another"], { cwd: folder });
  expect(ran).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`${path} is a symbolic link`) });
  expect(readFileSync(join(target, "events.db")).equals(before)).toBe(true);
});

test("init makes no file where a link leads that leads nowhere", async () => {
  const folder = freshFolder();
  const target = freshFolder();
  mkdirSync(join(folder, ".ralph"));
  symlinkSync(join(target, "new"), join(folder, ".ralph", ".gitignore"));
  await signalbox(["init"], { cwd: folder });
  expect(readdirSync(target)).toEqual([]);
});
