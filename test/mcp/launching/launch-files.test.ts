import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stateVariables } from "../../../src/config/state-folder.ts";
import { sessionId } from "../../../src/events/types/fields.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { sessionFolderOf } from "../../../src/lib/project-folder.ts";
import { readLaunch } from "../../../src/mcp/launch.ts";
import { writeLaunchFiles } from "../../../src/mcp/launching/launch-files.ts";
import type { LaunchPlan } from "../../../src/mcp/launching/plan.ts";
import { freshFolder } from "../../support/project.ts";
import { SHADCN } from "./given.ts";

/* Catches: a file that others can read, a name that leads out of the folder, a server that is lost or takes our place. */
function givenPath(): string {
  const folder = join(freshFolder(), ".ralph");
  mkdirSync(join(folder, "db"), { recursive: true });
  return join(folder, "db", "ralph.db");
}

const plan = (of: Partial<LaunchPlan["context"]> = {}, servers: LaunchPlan["servers"] = {}): LaunchPlan => ({
  context: {
    session_id: "s-1",
    recipe: "signals",
    discipline: null,
    feature: null,
    task_id: 7,
    disabled_tools: [],
    ...of,
  },
  servers,
});

test("context.json and mcp.json are in the session's folder, readable by their owner only", () => {
  const path = givenPath();
  const { contextFile, mcpConfig } = writeLaunchFiles(path, plan());
  const folder = join(dirname(dirname(path)), "run", "s-1");
  expect([contextFile, mcpConfig]).toEqual([join(folder, "context.json"), join(folder, "mcp.json")]);
  expect(readdirSync(folder).sort()).toEqual(["context.json", "mcp.json"]);
  for (const file of [contextFile, mcpConfig]) expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const made of [folder, dirname(folder)]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

test("mcp.json has our server with its environment, and the discipline's own beside it", () => {
  const path = givenPath();
  const servers = { zed: { type: "http" as const, url: "https://localhost/mcp" }, shadcn: SHADCN };
  const launched = writeLaunchFiles(path, plan({}, servers), {
    workspace: "/shop/.ralph/worktrees/task-7",
    connectedFile: "/run/connected",
  });
  const config = JSON.parse(readFileSync(launched.mcpConfig, "utf8"));
  const env = {
    RALPH_TASK_ID: "7",
    RALPH_SESSION_ID: "s-1",
    RALPH_DB_PATH: path,
    RALPH_WORKSPACE: "/shop/.ralph/worktrees/task-7",
    RALPH_CONTEXT: launched.contextFile,
    ...stateVariables(process.env),
    SIGNALBOX_CONNECTED: "/run/connected",
  };
  expect(env).toHaveProperty("SIGNALBOX_STATE");
  expect(launched.env).toEqual(env);
  expect(config).toEqual({
    mcpServers: {
      ralph: {
        command: process.execPath,
        args: [packagePath("bin/signalbox.js"), "mcp"],
        env,
        alwaysLoad: true,
      },
      ...servers,
    },
  });
  expect(Object.keys(launched.servers)).toEqual(["ralph", "shadcn", "zed"]);
  expect(Object.keys(config.mcpServers)).toEqual(Object.keys(launched.servers));
});

test.each([7, null])(
  "a server that is launched by the environment for task %s reads the context",
  (task_id) => {
    const path = givenPath();
    const { context } = plan({ task_id, recipe: "all", disabled_tools: ["done"] });
    const { env, contextFile } = writeLaunchFiles(path, { context, servers: {} });
    expect(Object.hasOwn(env, "RALPH_TASK_ID")).toBe(task_id !== null);
    expect(readLaunch(env)).toEqual({
      context,
      contextPath: contextFile,
      databasePath: path,
      workspace: realpathSync(join(dirname(path), "..", "..")),
      connectedFile: undefined,
      runsGates: true,
    });
  },
);

test("a server named as JavaScript's own is kept, and is no other's prototype", () => {
  const servers = JSON.parse('{"__proto__": {"command": "x"}, "constructor": {"command": "y"}}');
  const { mcpConfig } = writeLaunchFiles(givenPath(), plan({}, servers));
  expect(readFileSync(mcpConfig, "utf8")).toMatch(/"__proto__": \{\n +"command": "x"/);
});

test("any session name gives a separate folder below run", () => {
  const path = givenPath();
  const run = join(dirname(dirname(path)), "run");
  const odd = fc.constantFrom("/", "..", ".", "\\", "%2E", "%", "ü", "a", "~", "-");
  const name = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(odd).map((parts) => parts.join("")),
  );
  const legal = name.filter((text) => sessionId.safeParse(text).success);
  fc.assert(
    fc.property(legal, legal, (one, other) => {
      expect(dirname(sessionFolderOf(path, one))).toBe(run);
      expect(sessionFolderOf(path, one) === sessionFolderOf(path, other)).toBe(one === other);
    }),
  );
});

test.each(["run", "run/s-1"])(
  "a folder %s that is a symbolic link is refused, and nothing is written",
  (linked) => {
    const path = givenPath();
    const elsewhere = freshFolder();
    const link = join(dirname(dirname(path)), linked);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(elsewhere, link);
    expect(() => writeLaunchFiles(path, plan())).toThrow(`${link} is a symbolic link`);
    expect(readdirSync(elsewhere)).toEqual([]);
  },
);

test("relaunching a session replaces all of its files", () => {
  const path = givenPath();
  writeFileSync(writeLaunchFiles(path, plan()).contextFile, "x".repeat(10_000));
  const { contextFile } = writeLaunchFiles(path, plan({ recipe: "task_execution" }));
  expect(JSON.parse(readFileSync(contextFile, "utf8"))).toMatchObject({ recipe: "task_execution" });
});
