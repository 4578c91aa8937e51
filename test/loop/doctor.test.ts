import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { examine } from "../../src/loop/doctor/index.ts";
import { beat } from "../../src/loop/drivers/registry.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { environmentAt, NOON } from "../events/given.ts";
import { givenDiscipline } from "../mcp/launching/given.ts";
import { freshFolder, givenConfig } from "../support/project.ts";
import {
  git,
  givenInstallation,
  givenProgram,
  type Installation,
  logOf,
  onFile,
  onProject,
  troubles,
} from "./doctor-given.ts";

/* Catches: a fault that is passed over, one that hides another, a doctor that changes what it looks at. */
test("a healthy installation has no findings except skipped checks", async () => {
  const findings = await examine(await givenInstallation());
  expect(troubles(findings)).toEqual(["worktrees: skipped"]);
  expect(findings.map(({ name }) => name)).toEqual([
    "node",
    "sqlite",
    "project",
    "privacy",
    "disk",
    "file system",
    "log",
    "clock",
    "read model",
    "config",
    "agent claude",
    "agent claude login",
    "agent claude folder",
    "agent claude permissions",
    "mcp server",
    "mcp folder",
    "git",
    "git ignore",
    "worktrees",
    "sessions",
  ]);
});

const faults: readonly (readonly [
  fault: string,
  make: (place: Installation) => void | Promise<void>,
  trouble: string,
  found: string | RegExp,
  mend: string,
])[] = [
  [
    "a log that was changed",
    changeLastEvent,
    "log: failed",
    "position 2 was changed after it was appended",
    "restore BACKUP",
  ],
  [
    "a log that a wrong clock wrote to",
    stampInTheFuture,
    "clock: warning",
    /^the last event is stamped 2245-02-11 10:23:15 UTC, \d+ d \d+ h ahead of this machine's clock; a wrong clock stamped position 3/,
    "`--at 2`",
  ],
  [
    "a log of a newer version",
    (place) => onFile(logOf(place), "PRAGMA user_version = 99"),
    "log: failed",
    "has format 99",
    "Update signalbox",
  ],
  [
    "a projection that was stopped",
    (place) =>
      onFile(
        place.readModelPath,
        "UPDATE projections SET state = 'stopped', error = 'position 2: no' WHERE name = 'comments'",
      ),
    "read model: failed",
    "projection comments stopped at position 2: no",
    "signalbox rebuild",
  ],
  [
    "tables of a newer version",
    (place) => onFile(place.readModelPath, "UPDATE projections SET version = 99 WHERE name = 'comments'"),
    "read model: failed",
    "a newer version",
    "Update signalbox",
  ],
  [
    "a read model that is none",
    (place) => writeFileSync(place.readModelPath, "no database at all, and longer than a header ".repeat(20)),
    "read model: warning",
    "is damaged",
    "signalbox rebuild",
  ],
  [
    "a misspelt configuration",
    (place) => givenConfig(place.folder, { jbos: 2 }),
    "config: failed",
    'did you mean "jobs"',
    "config check",
  ],
  [
    "jobs that share a workspace",
    (place) => givenConfig(place.folder, { jobs: 2 }),
    "config: warning",
    "share one workspace",
    '"worktrees": true',
  ],
  [
    "an agent that is not there",
    (place) =>
      givenConfig(place.folder, {
        agents: { x: { kind: "command", command: "no-such-agent {prompt_file}" } },
        agent: "x",
      }),
    "agent x: failed",
    "no program no-such-agent on PATH",
    'command of agent "x"',
  ],
  [
    "an escalation to an agent that is not there",
    (place) =>
      givenConfig(place.folder, {
        agents: { x: { kind: "claude", command: "./claude" } },
        escalation: { agent: "x" },
      }),
    "agent x: failed",
    "no program ./claude there",
    "Install Claude Code",
  ],
  [
    "a log that git would commit",
    (place) => {
      for (const name of [".gitignore", ".ralph/.gitignore"])
        rmSync(join(place.folder, name), { force: true });
    },
    "git ignore: warning",
    ".ralph/",
    ".gitignore",
  ],
  [
    "worktrees without a commit",
    (place) => {
      rmSync(join(place.folder, ".git"), { recursive: true });
      git(place.folder, "init", "-q");
      givenConfig(place.folder, { worktrees: true });
    },
    "worktrees: failed",
    "there is none",
    "Commit",
  ],
  [
    "a .worktreeinclude that the configuration of worktrees does not have",
    (place) => {
      writeFileSync(join(place.folder, ".worktreeinclude"), ".env\n");
      givenConfig(place.folder, { worktrees: true });
    },
    "worktree files: warning",
    ".worktreeinclude is not used",
    '{"copy":[".env"]} into "worktrees"',
  ],
  [
    "two files for worktrees that the configuration does not have",
    (place) => {
      writeFileSync(join(place.folder, ".worktreeinclude"), ".env\n");
      mkdirSync(join(place.folder, ".cursor"));
      writeFileSync(join(place.folder, ".cursor", "worktrees.json"), '{"setup-worktree":["npm ci"]}');
      givenConfig(place.folder, { worktrees: true });
    },
    "worktree files: warning",
    ".cursor/worktrees.json and .worktreeinclude are not used",
    '{"setup":"set -e\\nnpm ci","copy":[".env"]}',
  ],
  [
    "a shell of gates that is not there",
    (place) => givenConfig(place.folder, { gates: { shell: ["no-such-shell", "-c"] } }),
    "gates shell: failed",
    "There is no program no-such-shell",
    '"gates.shell"',
  ],
  [
    "a folder of gates that is not there",
    (place) => givenConfig(place.folder, { gates: { folder: "no-such" } }),
    "gates folder: failed",
    "Name an existing folder",
    '"gates.folder"',
  ],
  [
    "a folder of gates that leads out of the project",
    (place) => {
      symlinkSync("/", join(place.folder, "out"));
      givenConfig(place.folder, { gates: { folder: "out" } });
    },
    "gates folder: failed",
    "is outside of",
    '"gates.folder"',
  ],
  [
    "isolation that cannot be had",
    (place) => {
      vi.stubEnv("PATH", freshFolder());
      onTestFinished(() => void vi.unstubAllEnvs());
      givenConfig(place.folder, { gates: { isolation: true } });
    },
    "isolation: failed",
    "bwrap: is not on PATH",
    "Install bubblewrap",
  ],
  [
    "a session that nobody will end",
    (place) =>
      onProject(place, async (project) => {
        await project.decide(createTask({ title: "A" }));
        await project.decide(startSession({ task: 1, session: "s-1" }));
      }),
    "sessions: warning",
    "s-1 of task 1 (no driver)",
    "session list --open",
  ],
  [
    "a session whose driver is gone",
    (place) =>
      onProject(place, async (project) => {
        await project.decide(createTask({ title: "A" }));
        await project.log.append(loop("d-1"));
        await project.decide(startSession({ task: 1, session: "s-1", driver: "d-1" }));
        await project.decide(createTask({ title: "B" }));
        await project.log.append(loop("d-2").slice(0, 1));
        beat(place.readModelPath, "d-2", process.pid);
        await project.decide(startSession({ task: 2, session: "s-2", driver: "d-2" }));
        await project.queries.taskCounts();
      }),
    "sessions: warning",
    /is watching s-1 of task 1 \(d-1 is gone\)$/,
    "driver recover",
  ],
  [
    "files for clients that are gone",
    ({ folder }) => rmSync(join(folder, ".ralph", "mcp"), { recursive: true }),
    "mcp folder: warning",
    "out of date: README.md, context.json, mcp.json, recipes.json",
    "signalbox regenerate",
  ],
  [
    "files for clients that are older than a discipline",
    (place) =>
      onProject(place, (project) => givenDiscipline(project, "docs", { disabled_tools: ["create_task"] })),
    "mcp folder: warning",
    "out of date: recipes.json",
    "signalbox regenerate",
  ],
  [
    "files that others can read",
    ({ folder, readModelPath }) => {
      for (const path of [join(folder, ".ralph"), dirname(readModelPath), readModelPath])
        chmodSync(path, 0o755);
    },
    "privacy: warning",
    "ralph.db",
    "chmod",
  ],
];

test.each(faults)("%s is found, with how to mend it", async (_fault, make, trouble, found, mend) => {
  const place = await givenInstallation();
  await make(place);
  const findings = await examine(place);
  const [name = "", state] = trouble.split(": ");
  expect(findings.find((finding) => finding.name === name)).toEqual({
    name,
    state,
    found: expect.stringMatching(found instanceof RegExp ? found : new RegExp(escaped(found))),
    mend: expect.stringContaining(mend),
  });
  // What follows from the fault may be skipped, and nothing else is said to be wrong.
  const others = troubles(findings).filter((one) => one !== trouble && !one.endsWith(": skipped"));
  expect(others).toEqual([]);
});

test("files for worktrees that ask for nothing are no warning", async () => {
  const place = await givenInstallation();
  writeFileSync(join(place.folder, ".worktreeinclude"), "# nothing\n");
  mkdirSync(join(place.folder, ".cursor"));
  writeFileSync(join(place.folder, ".cursor", "worktrees.json"), '{"setup-worktree":[]}');
  givenConfig(place.folder, { worktrees: true });
  expect((await examine(place)).filter(({ name }) => name === "worktree files")).toEqual([]);
});

test("gates are checked only if the configuration mentions them", async () => {
  const place = await givenInstallation();
  mkdirSync(join(place.folder, "app"));
  const named = async (config: object) => {
    givenConfig(place.folder, config);
    return (await examine(place)).filter(({ name }) => name === "gates folder" || name === "isolation");
  };
  expect(await named({})).toEqual([]);
  const asked = await named({ gates: { folder: "app", isolation: true } });
  expect(asked).toMatchObject([
    { name: "gates folder", state: "ok", found: `they run in ${realpathSync(place.folder)}/app` },
    { name: "isolation", found: expect.stringMatching(/^gates can be isolated by|not available here/) },
  ]);
});

test("the server is checked even if an agent calls doctor with its own session's context", async () => {
  const place = await givenInstallation();
  const findings = await examine({ ...place, env: { ...place.env, RALPH_CONTEXT: "/no/such/context.json" } });
  expect(troubles(findings)).toEqual(["worktrees: skipped"]);
});

test("a missing log fails, and so does the server", async () => {
  const place = await givenInstallation();
  rmSync(logOf(place));
  const findings = await examine(place);
  expect(troubles(findings).filter((one) => one.endsWith("failed"))).toEqual([
    "log: failed",
    "mcp server: failed",
  ]);
  expect(findings).toContainEqual(
    expect.objectContaining({ name: "log", mend: expect.stringContaining("signalbox restore BACKUP") }),
  );
});

test("a -shm removed while another process has the log open is reported: that process records nothing more", async () => {
  const place = await givenInstallation();
  await onProject(place, async (project) => {
    await project.log.append([comment]);
    rmSync(`${logOf(place)}-shm`);
    expect(await examine(place)).toContainEqual({
      name: "log files",
      state: "warning",
      found: expect.stringContaining("-wal exists without its -shm"),
      mend: expect.stringContaining("Restart"),
    });
    await expect(project.log.append([comment])).rejects.toMatchObject({ code: "disk" });
  });
});

test("a -wal removed while another process has the log open fails, and checking loses nothing of it", async () => {
  const place = await givenInstallation();
  await onProject(place, async (project) => {
    await project.log.append([comment]);
    rmSync(`${logOf(place)}-wal`);
    const findings = await examine(place);
    expect(findings.find(({ name }) => name === "log")).toMatchObject({
      state: "failed",
      found: expect.stringContaining("-wal was moved away or removed while another process has the log open"),
    });
  });
  expect((await examine(place)).find(({ name }) => name === "log")?.found).toMatch(/^3 events/);
});

test("a log that was replaced by a symbolic link fails", async () => {
  const place = await givenInstallation();
  renameSync(logOf(place), `${logOf(place)}.elsewhere`);
  symlinkSync(`${logOf(place)}.elsewhere`, logOf(place));
  expect((await examine(place)).find(({ name }) => name === "log")).toMatchObject({
    state: "failed",
    found: expect.stringContaining("is a symbolic link"),
  });
});

test("a project folder that is a symbolic link fails, and the other checks run", async () => {
  const place = await givenInstallation();
  const link = freshFolder();
  symlinkSync(join(place.folder, ".ralph"), join(link, ".ralph"));
  const findings = await examine({ ...place, readModelPath: join(link, ".ralph", "db", "ralph.db") });
  expect(troubles(findings)).toContain("project: failed");
  expect(findings.at(-1)?.name).toBe("sessions");
});

test("a read model that is behind, old, missing or of another log is tried in memory, and is no problem", async () => {
  for (const [found, make] of [
    ["1 event behind", (place: Installation) => onProject(place, (project) => project.log.append([comment]))],
    [
      "an older version of signalbox built it",
      (place: Installation) => onFile(place.readModelPath, "UPDATE projections SET version = 0"),
    ],
    ["there is none yet", (place: Installation) => rmSync(place.readModelPath)],
    [
      "it belongs to another log",
      (place: Installation) => onFile(place.readModelPath, "UPDATE projections SET leaf_hash = 'ff'"),
    ],
  ] as const) {
    const place = await givenInstallation();
    await make(place);
    const findings = await examine(place);
    expect(findings.find(({ name }) => name === "read model")).toEqual({
      name: "read model",
      state: "ok",
      found: expect.stringMatching(`^${found}.*tried in memory, up to position [23]`),
    });
  }
});

test.each([
  ["an older Claude Code", "echo '2.1.328 (Claude Code)'", "older than 2.1.329, the oldest tested version"],
  ["a program that is no Claude Code", "exit 3", "does not report a version"],
])("%s is warned of", async (_what, script, found) => {
  const place = await givenInstallation();
  givenProgram((place.env.PATH ?? "").split(":")[0] ?? "", "claude", script);
  const findings = await examine(place);
  expect(findings.find(({ name }) => name === "agent claude")).toMatchObject({
    state: "warning",
    found: expect.stringContaining(found),
  });
});

test.each(['"{}" {prompt_file}', "'{}' '--say' {prompt_file}"])(
  "an agent's program is found as the loop starts it: %s",
  async (template) => {
    const place = await givenInstallation();
    const folder = join(freshFolder(), "a folder");
    mkdirSync(folder);
    givenProgram(folder, "agent", "echo 1.2.3");
    const command = template.replace("{}", join(folder, "agent"));
    givenConfig(place.folder, { agents: { x: { kind: "command", command } }, agent: "x" });
    const findings = await examine(place);
    expect(findings.find(({ name }) => name === "agent x")).toMatchObject({ state: "ok" });
  },
);

test("the doctor runs no program that the repository names", async () => {
  const place = await givenInstallation();
  const marks = freshFolder();
  for (const name of ["monitor", "hook"]) givenProgram(marks, name, `touch ${join(marks, `${name}-ran`)}`);
  git(place.folder, "config", "core.fsmonitor", join(marks, "monitor"));
  mkdirSync(join(place.folder, "hooks"));
  copyFileSync(join(marks, "hook"), join(place.folder, "hooks", "post-index-change"));
  git(place.folder, "config", "core.hooksPath", join(place.folder, "hooks"));
  writeFileSync(join(place.folder, "code"), "1");
  // The index has a file, and git knows that it may have changed: it would ask the monitor.
  git(place.folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "add", "code");
  const findings = await examine(place);
  expect(findings).toContainEqual(expect.objectContaining({ name: "git ignore", state: "ok" }));
  expect(readdirSync(marks).sort()).toEqual(["hook", "monitor"]);
});

test("without git, or outside a work tree, doctor says what cannot be counted", async () => {
  const place = await givenInstallation();
  rmSync(join(place.folder, ".git"), { recursive: true });
  const [bin] = (place.env.PATH ?? "").split(":");
  for (const env of [place.env, { PATH: bin }]) {
    const findings = await examine({ ...place, env });
    expect(findings.find(({ name }) => name === "git")).toMatchObject({
      state: "warning",
      mend: expect.stringContaining("cannot tell which sessions changed nothing"),
    });
  }
});

function changeLastEvent(place: Installation): void {
  const bytes = readFileSync(logOf(place));
  const at = bytes.indexOf('{"discipline":"general"');
  bytes.write('{"discipline":"generaL"', at);
  writeFileSync(logOf(place), bytes);
}

/** As a machine does whose clock is wrong; the next event, of a right clock, follows it. */
async function stampInTheFuture(place: Installation): Promise<void> {
  for (const now of [Date.UTC(2245, 1, 11, 10, 23, 15) * 1_000, NOON]) {
    const log = openSqliteLog(logOf(place), environmentAt({ now }, String(now)));
    await log.append([comment]);
    await log.close();
  }
}

const comment: Draft<"comment.added"> = {
  type: "comment.added",
  actor: "human",
  payload: { task: 1, author: "Ada", body: "Hello." },
};

function loop(driver: string): [Draft<"loop.started">, Draft<"loop.stopped">] {
  return [
    { type: "loop.started", actor: "driver", payload: { driver, agent: "claude", jobs: 1 } },
    {
      type: "loop.stopped",
      actor: "driver",
      payload: { driver, ending: "once", reason: "one was asked for", sessions: 1 },
    },
  ];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
