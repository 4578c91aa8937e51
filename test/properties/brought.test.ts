import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { initProject, readModelPathIn } from "../../src/api/project.ts";
import { parseConfig } from "../../src/config/config.ts";
import { hashOf } from "../../src/config/token-files.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { runGates } from "../../src/gates/run-gates.ts";
import { ToldError } from "../../src/lib/told-error.ts";
import { recover } from "../../src/loop/drivers/recovery.ts";
import { findGrant, projectMark } from "../../src/mcp/http/tokens.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { holders } from "../../src/outside/people/tokens.ts";
import { filesBrought } from "../../src/workspace/own-files.ts";
import { freshFolder, givenConfig, reopened } from "../support/project.ts";
import { givenRepository } from "../workspace/given.ts";
import { runs } from "./runs.ts";

/* Catches: a file in `.ralph/` by which somebody who writes to git has a command run, gets in, or ends what was acknowledged. */

const LOCK = "gates.0123456789abcdef.lock.holder";
const SECRET = "A".repeat(43);
const PERSON = `sbp_${SECRET}`;

/** Files that a part reads or once read, of the project, its session and its people. */
const filesOf = (agent: string) => [
  ...["events.db", "events.db-journal", "events.db-wal", "events.db-shm"].map((name) => `db/${name}`),
  ...["ralph.db", "ralph.db-journal", "ralph.db-wal", "ralph.db-shm", "acknowledged"].map(
    (name) => `db/${name}`,
  ),
  ...[PERSON, agent].flatMap((token) =>
    ["people", "tokens"].map((folder) => `${folder}/${hashOf(token)}.json`),
  ),
  ...[
    "notices/key",
    "key",
    "host.json",
    "drivers/d-1.json",
    "loops/d-1.log",
    "progress.txt",
    "learnings.txt",
  ],
  ...["context.json", "mcp.json", "pid", "container.json", "commits.json", "connected", "output.jsonl"].map(
    (name) => `run/s-1/${name}`,
  ),
  ...[`run/${LOCK}`, "history/made", "snapshots/1", "mcp/claude.json", "worktrees/task-1", "new/thing"],
];

/** A project with a gate, a person, and a session whose driver has died. */
async function given() {
  const repository = givenRepository(join(freshFolder(), "work"));
  const { folder, git, commit } = repository;
  await initProject(folder);
  givenConfig(folder, { people: { olga: { role: "own" } } });
  const forged = join(folder, "..", "forged");
  // Whatever a file names, if it names something that can be run, is this.
  const program = repository.program("docker");
  const mark = await reopened(folder, async (project) => {
    await project.decide(
      createTask({ title: "Export", gates: [{ command: "true", max: 3, timeout_s: 10 }] }),
    );
    await project.decide(startSession({ task: 1, session: "s-1", driver: "d-1" }));
    return projectMark(project.log);
  });
  commit();
  git("branch", "-M", "main");
  const before = join(folder, "..", "before");
  cpSync(join(folder, ".ralph"), before, { recursive: true });
  const anothers = await anotherLog(`touch ${forged}`);
  return { ...repository, forged, program, before, anothers, agent: `sb_${mark}_${SECRET}` };
}

/** A log with a gate of which nobody here knows. */
async function anotherLog(command: string): Promise<string> {
  const folder = freshFolder();
  await initProject(folder);
  await reopened(folder, (project) =>
    project.decide(createTask({ title: "Export", gates: [{ command, max: 3, timeout_s: 10 }] })),
  );
  return folder;
}

/** What somebody would write who knows our formats; the program is put in later. */
const SHAPED = fc
  .constantFrom<object>(
    { person: "olga", by: "token", made: "2026-01-01T00:00:00.000Z" },
    { session: "s-1", variables: { RALPH_SESSION_ID: "s-1", RALPH_TASK_ID: "1" } },
    { session_id: "s-1", recipe: "all", task_id: 1 },
    { engine: "PROGRAM", name: "--all" },
    { mcpServers: { signalbox: { command: "PROGRAM", args: [] } } },
    { driver: "d-1", host: "here", pid: 1 },
    { host: "here", pid: 2_000_000_000, runner: "00000000-0000-4000-8000-000000000000", purpose: "PROGRAM" },
    { id: "00000000-0000-4000-8000-000000000000" },
  )
  .map((value) => Buffer.from(JSON.stringify(value)));

const BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 4_096 }).map((bytes) => Buffer.from(bytes)),
  SHAPED,
  fc.constant("another's" as const),
);

test("whatever a branch brings into .ralph/ is not merged; and merged by hand it runs nothing, lets nobody in and ends nothing", async () => {
  const { folder, git, agent, anothers, before, program, forged, ran } = await given();
  const db = readModelPathIn(folder);
  const acknowledged = await eventsIn(folder);
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...filesOf(agent)), BYTES, async (name, bytes) => {
      const path = join(".ralph", name);
      const others = join(anothers, path);
      const content =
        bytes === "another's"
          ? existsSync(others) && others
          : Buffer.from(bytes.toString("latin1").replaceAll("PROGRAM", program), "latin1");
      if (content === false) return;
      git("checkout", "--quiet", "--orphan", "work");
      const blob =
        typeof content === "string"
          ? git("hash-object", "-w", content).trim()
          : git("hash-object", "-w", written(join(folder, "..", "content"), content)).trim();
      git("read-tree", "main");
      git("update-index", "--add", "--cacheinfo", `100644,${blob},${path}`);
      git("commit", "--quiet", "-m", "Forge");
      git("symbolic-ref", "HEAD", "refs/heads/main");
      expect(await filesBrought(folder, { base: "main", tip: "work" })).toMatchObject({ paths: [path] });

      // Somebody merges it all the same.
      git("read-tree", "work");
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      git("checkout-index", "--force", "--", path);
      const problems = await use(folder, agent);
      if (problems.length === 0) opened += 1;
      for (const problem of problems) expect(problem, `${path}: ${problem}`).toBeInstanceOf(ToldError);
      expect([forged, ran].filter(existsSync), path).toEqual([]);

      // And takes it back.
      git("read-tree", "main");
      const isLog = name.startsWith("db/events.db");
      rmSync(join(folder, path), { recursive: true, force: true });
      // Git has written over it. What is in another file is there still.
      if (isLog && existsSync(join(before, name))) copyFileSync(join(before, name), join(folder, path));
      expect((await eventsIn(folder)).slice(0, acknowledged.length), path).toEqual(acknowledged);
      rmSync(join(folder, ".ralph"), { recursive: true });
      cpSync(before, join(folder, ".ralph"), { recursive: true });
      git("branch", "--quiet", "-D", "work");
    }),
    { ...runs(12), endOnFailure: true },
  );
  expect(opened, "most files stop nothing").toBeGreaterThan(0);
  expect(existsSync(logPathBeside(db))).toBe(true);
});

function written(path: string, content: Buffer): string {
  writeFileSync(path, content);
  return path;
}

const eventsIn = (folder: string) =>
  reopened(folder, async ({ log }) => (await log.read(0, 1_000)).map(({ id }) => id));

/** What a loop, a person and an agent do at a project. @returns what failed */
async function use(folder: string, agent: string): Promise<readonly unknown[]> {
  const db = readModelPathIn(folder);
  const acts = [
    () =>
      reopened(folder, async (project) => {
        await project.queries.tasks();
        await runGates(project, { task: 1, folder, config: parseConfig({}, "test") });
      }),
    () => reopened(folder, async (project) => void (await recover(project, db))),
    async () => expect(holders(db)(PERSON)).toBeUndefined(),
    async () => expect(findGrant(db, agent.slice(3, 11), agent)).toBe("unknown"),
  ];
  const problems: unknown[] = [];
  for (const act of acts) await act().catch((problem) => problems.push(problem));
  return problems;
}
