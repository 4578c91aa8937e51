// @module-tag linux
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, type TestContext, test, vi } from "vitest";
import { parseConfig } from "../../../src/config/config.ts";
import type { CommandResult } from "../../../src/events/types/command-result.ts";
import { gateCommand } from "../../../src/gates/gate-command.ts";
import { gateEnvironment } from "../../../src/gates/runner/environment.ts";
import { findIsolator } from "../../../src/gates/runner/isolation.ts";
import type { Command } from "../../../src/gates/runner/run-command.ts";
import { whyMissing } from "../../support/needs.ts";
import { freshFolder } from "../../support/project.ts";
import { coded } from "../../support/refusal.ts";
import { run, stdoutOf } from "./given.ts";

/*
 * Isolation by each of the two programs that can give it. Where one cannot here, its tests are skipped and say why; that nothing is
 * run without what was asked for is tried everywhere.
 */
const ISOLATED = { network: false, readOnlyRoot: true } as const;
const PROGRAMS = ["bwrap", "unshare"] as const;
/** What the commands see; whoever runs them sees one program alone. */
const environment = gateEnvironment(process.env);

function seePath(...folders: string[]): void {
  vi.stubEnv("PATH", folders.join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** A workspace, and a way to run isolated commands in it by one of the programs, unless that cannot do it here. */
async function given(program: (typeof PROGRAMS)[number], context: TestContext, name = "workspace") {
  const tools = freshFolder();
  const file = (environment.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(existsSync);
  if (file !== undefined) symlinkSync(file, join(tools, program));
  seePath(tools);
  const workspace = join(realpathSync(freshFolder()), name);
  mkdirSync(workspace);
  const { isolator, problems } = await findIsolator({ folder: workspace, writable: workspace });
  context.skip(
    isolator?.by !== program,
    whyMissing(program) ?? `${program} cannot isolate here: ${problems.join("; ")}`,
  );
  const isolated = async (command: string, options: Partial<Command> = {}): Promise<CommandResult> => {
    const result = await run(command, { folder: workspace, environment, isolation: ISOLATED, ...options });
    expect(result.isolation).toBe(program);
    return result;
  };
  return { workspace, isolated };
}

/** A folder that is neither in the workspace nor below `/tmp` or `/dev`, which are others for an isolated command. */
function folderElsewhere(): string {
  const folder = mkdtempSync("/var/tmp/signalbox-test-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether a process runs whose arguments have this word. */
function runs(word: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      return false;
    }
  });
}

test.for(PROGRAMS)(
  "isolated by %s, a command writes to its workspace and nowhere else",
  async (program, context) => {
    const { workspace, isolated } = await given(program, context);
    const elsewhere = folderElsewhere();
    const temporary = freshFolder();
    const result = await isolated(
      `pwd; touch here; touch '${elsewhere}/there' || echo refused; mkdir -p '${temporary}'; touch '${temporary}/there'; touch /tmp/mine /dev/shm/mine && ls /tmp/mine; echo x > /dev/null`,
    );
    expect(stdoutOf(result)).toBe(`${workspace}\nrefused\n/tmp/mine\n`);
    expect(result.stderr.head).toMatch(/Read-only file system/);
    expect(existsSync(join(workspace, "here"))).toBe(true);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync("/tmp/mine")).toBe(false);
    expect(existsSync("/dev/shm/mine")).toBe(false);
  },
);

test.for(PROGRAMS)("isolated by %s, a command runs in the configured shell", async (program, context) => {
  const { isolated } = await given(program, context);
  const shell = [process.execPath, "-e"];
  expect(stdoutOf(await isolated('console.log("it\'s", 1 + 1)', { shell }))).toBe("it's 2\n");
});

test.for(PROGRAMS)(
  "isolated by %s, a command reads nothing of the log's password file",
  async (program, context) => {
    const { workspace, isolated } = await given(program, context);
    const elsewhere = folderElsewhere();
    vi.stubEnv("PGPASSFILE", join(elsewhere, "link"));
    writeFileSync(join(elsewhere, "pgpass"), "*:*:*:shop:canary\n");
    symlinkSync(join(elsewhere, "pgpass"), join(elsewhere, "link"));
    for (const key of ["variable.key", "config.key"]) writeFileSync(join(elsewhere, key), "canary");
    const url = (key: string) =>
      `postgres://shop@db.example/fleet?schema=shop&sslkey=${join(elsewhere, key)}`;
    vi.stubEnv("SIGNALBOX_LOG_URL", url("variable.key"));
    const config = parseConfig({ gates: { isolation: true }, log: { url: url("config.key") } }, "");
    const { isolation } = gateCommand({ command: "", timeout_s: 1 }, { folder: workspace, config });
    const command = `cat '${elsewhere}'/*; cat /proc/[0-9]*/environ; echo read`;
    const result = await isolated(command, { isolation });
    expect(stdoutOf(result)).toMatch(/read\n$/);
    expect(stdoutOf(result)).not.toMatch(/canary|PGPASSFILE/);
  },
);

test.for(PROGRAMS)(
  "isolated by %s, a command cannot make the root writable again",
  async (program, context) => {
    const { isolated } = await given(program, context);
    const elsewhere = folderElsewhere();
    const result = await isolated(
      `for way in "" "unshare --user --map-root-user --mount"; do
       $way mount -n -o remount,bind,rw none /
       $way sh -c "mount -n -o remount,bind,rw none / ; touch '${elsewhere}/there'"
     done; umount /; umount /dev; value=$(cat /proc/sys/vm/swappiness); echo "$value" > /proc/sys/vm/swappiness && echo written`,
    );
    expect(stdoutOf(result)).toBe("");
    expect(readdirSync(elsewhere)).toEqual([]);
  },
);

test.for(PROGRAMS)(
  "isolated by %s, a command can neither change nor move the read-only folder",
  async (program, context) => {
    const { workspace, isolated } = await given(program, context);
    const readOnly = join(workspace, ".ralph");
    const worktree = join(readOnly, "worktrees", "task-1");
    mkdirSync(worktree, { recursive: true });
    writeFileSync(join(readOnly, "log"), "kept");
    const isolation = { ...ISOLATED, readOnly };
    const attack = `cat .ralph/log; echo x >> .ralph/log; rm -rf .ralph; mv .ralph gone; umount .ralph
      unshare --user --map-root-user --mount sh -c 'umount .ralph; mount -n -o remount,bind,rw none .ralph; echo x >> .ralph/log'
      touch .ralph/new; touch here`;
    expect(await isolated(attack, { isolation })).toMatchObject({ exit_code: 0, stdout: { head: "kept" } });
    expect(existsSync(join(workspace, "here"))).toBe(true);
    expect(readdirSync(workspace).sort()).toEqual([".ralph", "here"]);
    expect(readdirSync(readOnly).sort()).toEqual(["log", "worktrees"]);
    expect(readFileSync(join(readOnly, "log"), "utf8")).toBe("kept");
    const there = { folder: worktree, isolation: { ...isolation, writable: worktree } };
    await isolated("touch in-worktree; touch ../../new", there);
    expect(readdirSync(worktree)).toEqual(["in-worktree"]);
    expect(existsSync(join(readOnly, "new"))).toBe(false);
  },
);

test.for(PROGRAMS)(
  "isolated by %s, a command has no network; without isolation it has",
  async (program, context) => {
    const { isolated } = await given(program, context);
    const server = createServer((socket) => socket.on("error", () => {}).end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const connect = `'${process.execPath}' -e '
    require("net").connect(${port}, "127.0.0.1")
      .on("connect", () => { console.log("connected"); process.exit(); })
      .on("error", (error) => console.log(error.code))'`;
    expect(stdoutOf(await isolated(connect))).toMatch(/^(ECONNREFUSED|ENETUNREACH)\n$/);
    expect(stdoutOf(await run(connect, { environment }))).toBe("connected\n");
  },
);

test.for(PROGRAMS)(
  "isolated by %s, the exit code, the outputs, the variables and the empty input are as without",
  async (program, context) => {
    const { workspace, isolated } = await given(program, context);
    mkdirSync(join(workspace, "part"));
    const result = await isolated('cat; pwd; echo "$GREETING"; echo err >&2; touch ../from-part; exit 7', {
      folder: join(workspace, "part"),
      isolation: { ...ISOLATED, writable: workspace },
      environment: { ...environment, GREETING: 'it\'s "hello"' },
    });
    expect(result).toMatchObject({ exit_code: 7, left_behind: [], stderr: { head: "err\n" } });
    expect(stdoutOf(result)).toBe(`${workspace}/part\nit's "hello"\n`);
    expect(existsSync(join(workspace, "from-part"))).toBe(true);
    expect(await isolated("no-such-program-anywhere")).toMatchObject({ exit_code: 127 });
    expect(await isolated("kill -KILL $$")).toMatchObject({
      exit_code: 137,
      explanation: expect.stringContaining("SIGKILL"),
    });
    expect(stdoutOf(await isolated("id -u"))).toBe(`${process.getuid?.()}\n`);
  },
);

test.for(PROGRAMS)("isolated by %s, a workspace may have any name", async (program, context) => {
  const { workspace, isolated } = await given(program, context, "a b\t\"c'\\ $(x) *?[é]\n-");
  expect(await isolated("touch here")).toMatchObject({ exit_code: 0 });
  expect(existsSync(join(workspace, "here"))).toBe(true);
});

test.for(PROGRAMS)(
  "isolated by %s, a grandchild that called setsid dies with its namespace, and others are not seen",
  async (program, context) => {
    const { isolated } = await given(program, context);
    const word = `1000.${process.pid}1`;
    const result = await isolated(
      `setsid env -i sleep ${word} & setsid sleep ${word} >/dev/null 2>&1 & kill -0 ${process.pid} || echo alone`,
    );
    expect(result).toMatchObject({ exit_code: 0 });
    expect(stdoutOf(result)).toBe("alone\n");
    expect(runs(word)).toBe(false);
  },
);

test.for(PROGRAMS)(
  "isolated by %s, a command that times out gets TERM and a second to clean up, and then everything is killed",
  async (program, context) => {
    const { workspace, isolated } = await given(program, context);
    const word = `1000.${process.pid}2`;
    const cleans = await isolated(
      `trap 'touch clean; exit 4' TERM; setsid env -i sleep ${word} & while :; do sleep 0.05; done`,
      { timeoutMs: 3_000 },
    );
    expect(cleans).toMatchObject({ timed_out: true });
    expect(existsSync(join(workspace, "clean"))).toBe(true);
    expect(runs(word)).toBe(false);
    const ignores = await isolated(`trap '' TERM; sleep ${word} & while :; do sleep 1; done`, {
      timeoutMs: 3_000,
    });
    expect(ignores).toMatchObject({ timed_out: true, exit_code: null, signal: "SIGKILL" });
    expect(runs(word)).toBe(false);
  },
);

test.runIf(process.platform === "linux")(
  "without either program, a command to isolate does not run, and the error says what to do",
  async () => {
    seePath(freshFolder());
    const folder = freshFolder();
    await expect(run("touch here", { folder, environment, isolation: ISOLATED })).rejects.toMatchObject({
      name: "RunnerError",
      code: "isolation",
      message: expect.stringMatching(
        /not run.*bwrap: is not on PATH; unshare: is not on PATH.*Install bubblewrap.*turn isolation off/,
      ),
    });
    expect(existsSync(join(folder, "here"))).toBe(false);
  },
);

test.runIf(process.platform === "linux")(
  "a program that cannot isolate here is named with its own words, and not used",
  async () => {
    const tools = freshFolder();
    for (const program of PROGRAMS) {
      writeFileSync(
        join(tools, program),
        "#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n",
      );
      chmodSync(join(tools, program), 0o755);
    }
    seePath(tools);
    const folder = freshFolder();
    await expect(run("touch here", { folder, environment, isolation: ISOLATED })).rejects.toMatchObject(
      coded("isolation", "bwrap: setting up uid map: Permission denied; unshare: setting up"),
    );
    expect(existsSync(join(folder, "here"))).toBe(false);
  },
);

test.runIf(process.platform === "linux")(
  "a program inside the workspace is not used: a command could have put it there",
  async () => {
    const workspace = freshFolder();
    const tools = freshFolder();
    writeFileSync(join(workspace, "bwrap"), '#!/bin/sh\nexec /bin/sh -c "true"\n');
    chmodSync(join(workspace, "bwrap"), 0o755);
    symlinkSync(join(workspace, "bwrap"), join(tools, "bwrap"));
    seePath(workspace, tools);
    await expect(run("true", { folder: workspace, environment, isolation: ISOLATED })).rejects.toMatchObject(
      coded("isolation", "bwrap: is not on PATH"),
    );
  },
);

test("the root as a workspace, and a folder outside it, are refused", async () => {
  await expect(run("true", { folder: "/", environment, isolation: ISOLATED })).rejects.toMatchObject({
    code: "isolation",
  });
  await expect(
    run("true", { folder: "/", environment, isolation: { ...ISOLATED, writable: freshFolder() } }),
  ).rejects.toMatchObject({ code: "folder" });
});
