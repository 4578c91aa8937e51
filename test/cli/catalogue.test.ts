import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { initProject, openProject, type Project } from "../../src/api/project.ts";
import { decide } from "../../src/decisions/decide.ts";
import { changeFeature, createFeature } from "../../src/operations/features.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { fails, signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: an option that says something else than its field, a list that cannot be emptied, a mistake that is recorded. */

test("feature add stores its options, and feature set changes only the given ones", async () => {
  const { folder: cwd } = await freshProject();
  const made = await signalboxJson(
    [
      ...["feature", "add", "billing", "--display-name", "Billing", "--description", "Invoices."],
      ...["--acronym", "BILL", "--context-file", "src/a.ts", "--context-file", "src/b.ts"],
      ...["--knowledge-path", "docs/billing/", "--architecture", "One queue.", "--boundaries", "No tax."],
      ...["--depends-on", "general"],
    ],
    { cwd },
  );
  const billing = {
    name: "billing",
    display_name: "Billing",
    description: "Invoices.",
    acronym: "BILL",
    context_files: ["src/a.ts", "src/b.ts"],
    knowledge_paths: ["docs/billing/"],
    architecture: "One queue.",
    boundaries: "No tax.",
    dependencies: ["general"],
    agent_words: 0,
    agent_fields: [],
  };
  expect(made).toMatchObject(billing);
  await signalboxJson(["feature", "add", "web"], { cwd });
  const changed = await signalboxJson(
    ["feature", "set", "billing", "--depends-on", "web, general", "--knowledge-path", "", "--acronym", "B"],
    { cwd },
  );
  expect(changed).toMatchObject({
    ...billing,
    dependencies: ["web", "general"],
    knowledge_paths: [],
    acronym: "B",
  });
  const emptied = ["feature", "set", "billing", "--depends-on", "", "--context-file", ""];
  expect(await signalboxJson(emptied, { cwd })).toMatchObject({ dependencies: [], context_files: [] });
  expect(await signalboxJson(["feature", "list"], { cwd })).toMatchObject([
    { name: "general" },
    { name: "billing" },
    { name: "web" },
  ]);
});

test("a feature's learnings are added, merged and shown, and so are its context files", async () => {
  const { folder: cwd, project } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  const learn = (text: string, ...more: string[]) =>
    signalboxJson(["feature", "learn", "general", text, ...more], { cwd });
  expect(await learn("Amounts are in cents.", "--reason", "Rounding.", "--task", "1")).toEqual({
    learning: 4,
    joined: false,
    confirmations: 1,
    text: "Amounts are in cents.",
  });
  expect(await learn("amounts are in cents", "--source", "auto")).toEqual({
    learning: 4,
    joined: true,
    confirmations: 2,
    text: "Amounts are in cents.",
  });
  expect(await project.queries.sql("SELECT source, rationale, task_id FROM learning_sources")).toEqual([
    { source: "human", rationale: "Rounding.", task_id: 1 },
    { source: "auto", rationale: null, task_id: null },
  ]);
  const file = ["feature", "context-file", "general", "src/money.ts"];
  expect(await signalboxJson(file, { cwd })).toEqual({ added: true, context_files: ["src/money.ts"] });
  const head = await project.log.head();
  expect(await signalboxJson(file, { cwd })).toEqual({ added: false, context_files: ["src/money.ts"] });
  expect(await project.log.head()).toBe(head);
  const shown = await signalbox(["feature", "show", "general"], { cwd });
  expect(shown.stdout).toBe(
    [
      "General · general",
      "",
      "context files",
      "  src/money.ts",
      "",
      "learnings",
      "  #4 discovery, confirmed 2 times",
      "    Amounts are in cents.",
      "    Why: Rounding.",
      "",
    ].join("\n"),
  );
});

test("feature show prints everything, and marks an agent's words", async () => {
  const { folder: cwd, project } = await freshProject();
  await project.decide(
    createFeature({
      name: "billing",
      display_name: "Billing",
      description: "Invoices\nand payments.",
      acronym: "BILL",
      knowledge_paths: ["docs/"],
      dependencies: ["general"],
    }),
  );
  const change = changeFeature({ name: "billing", architecture: "A queue.\u001b[2J", boundaries: "No tax." });
  await decide(project.store, change, { actor: "agent" });
  const shown = await signalbox(["feature", "show", "billing"], { cwd });
  expect(shown.stdout).toBe(
    [
      "Billing · billing · BILL",
      "written by an agent: architecture, boundaries",
      "",
      "Invoices",
      "and payments.",
      "",
      "architecture",
      "  A queue.\\u{1b}[2J",
      "",
      "boundaries",
      "  No tax.",
      "",
      "depends on",
      "  general",
      "",
      "read first",
      "  docs/",
      "",
    ].join("\n"),
  );
});

test("discipline add stores its options, and tools and servers can be reset", async () => {
  const { folder: cwd } = await freshProject();
  const server = { command: "npx", args: ["-y", "shadcn"], env: { A: "=" } };
  const made = await signalboxJson(
    [
      ...["discipline", "add", "frontend", "--display-name", "Frontend", "--description", "Pages."],
      ...["--acronym", "FE", "--icon", "🎨", "--color", "#c678dd", "--system-prompt", "You make pages."],
      ...["--skill", "HTML", "--skill", "CSS", "--conventions", "Tabs."],
      ...["--disable-tools", "create_task, delete_task,create_task"],
      ...["--mcp-server", `shadcn=${JSON.stringify(server)}`],
      ...["--mcp-server", 'docs={"type":"http","url":"https://example.com/mcp"}'],
    ],
    { cwd },
  );
  const frontend = {
    name: "frontend",
    display_name: "Frontend",
    description: "Pages.",
    acronym: "FE",
    icon: "🎨",
    color: "#c678dd",
    system_prompt: "You make pages.",
    skills: ["HTML", "CSS"],
    conventions: "Tabs.",
    disabled_tools: ["create_task", "delete_task"],
    mcp_servers: { shadcn: server, docs: { type: "http", url: "https://example.com/mcp" } },
  };
  expect(made).toMatchObject(frontend);
  const shown = await signalbox(["discipline", "show", "frontend"], { cwd });
  expect(shown.stdout).toBe(
    [
      "Frontend · frontend · FE · 🎨 · #c678dd",
      "",
      "Pages.",
      "",
      "system prompt",
      "  You make pages.",
      "",
      "skills",
      "  HTML",
      "  CSS",
      "",
      "conventions",
      "  Tabs.",
      "",
      "disabled tools",
      "  create_task",
      "  delete_task",
      "",
      "additional MCP servers",
      `  shadcn ${JSON.stringify(server)}`,
      '  docs {"type":"http","url":"https://example.com/mcp"}',
      "",
    ].join("\n"),
  );
  const set = (...args: string[]) => signalboxJson(["discipline", "set", "frontend", ...args], { cwd });
  expect(await set("--mcp-server", 'x={"command":"x"}')).toMatchObject({
    ...frontend,
    mcp_servers: { x: { command: "x" } },
  });
  const bare = await set("--disable-tools", "", "--no-mcp-servers", "--skill", "");
  expect(bare).toEqual({ ...(bare as object), ...frontend, disabled_tools: [], mcp_servers: {}, skills: [] });
});

test("an unused entry is deleted; repeating the command under its key succeeds", async () => {
  const { folder: cwd, project } = await freshProject();
  const add = ["feature", "add", "billing", "--key", "k-1"];
  await signalboxJson(add, { cwd });
  const remove = ["feature", "delete", "billing", "--key", "k-2"];
  expect(await signalboxJson(remove, { cwd })).toEqual({ deleted: "billing" });
  expect(await signalboxJson(remove, { cwd })).toEqual({ deleted: "billing" });
  expect(await signalboxJson(add, { cwd })).toBeNull();
  expect((await project.queries.features()).map(({ name }) => name)).toEqual(["general"]);
  await signalboxJson(["discipline", "add", "qa"], { cwd });
  expect((await signalbox(["discipline", "delete", "qa"], { cwd })).stdout).toBe(
    "Deleted the discipline qa.\n",
  );
  expect((await project.queries.disciplines()).map(({ name }) => name)).toEqual(["general"]);
});

/** One project for all mistakes: none of them may change it. */
let cwd: string;
let project: Project;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  await initProject(cwd);
  project = await openProject(cwd);
  await project.decide(createFeature({ name: "core" }));
  await project.decide(createFeature({ name: "web", dependencies: ["core"] }));
  await project.decide(createTask({ title: "Page", feature: "web" }));
});

afterAll(async () => {
  await project.close();
  rmSync(cwd, { recursive: true, force: true });
});

test.each([
  [["feature", "show", "wbe"], 1, 'There is no feature "wbe"'],
  [["feature", "set", "core", "--acronym", ""], 2, "acronym"],
  [["feature", "set", "core", "--context-file", " "], 2, "is blank"],
  [["feature", "add", "a\tb"], 2, "without control characters"],
  [["feature", "delete", "general"], 1, "it is the default for tasks"],
  [["feature", "learn", "core", " "], 2, "is blank"],
  [["feature", "learn", "core", "x", "--source", "me"], 2, "auto, agent, human"],
  [["feature", "learn", "nope", "x"], 1, 'The features are: "core", "general", "web".'],
  [["discipline", "show", "generel"], 1, 'Did you mean "general"?'],
  [
    ["discipline", "set", "general", "--disable-tools", "create_taks"],
    2,
    'It names "create_taks", which is not a tool; did you mean create_task.',
  ],
  [["discipline", "set", "general", "--disable-tools", "fly"], 2, "the tools are done, partial,"],
  [["discipline", "set", "general", "--mcp-server", "x"], 2, "It must be NAME=JSON"],
  [["discipline", "set", "general", "--mcp-server", "x={}"], 2, "It must be NAME=JSON"],
  [["discipline", "set", "general", "--mcp-server", "x={"], 2, "It must be NAME=JSON"],
  [
    ["discipline", "set", "general", "--mcp-server", 'x={"command":"a","cwd":"/"}'],
    2,
    "It must be NAME=JSON",
  ],
  [["discipline", "set", "general", "--mcp-server", '__proto__={"command":"a"}'], 2, "It must be NAME=JSON"],
  [["discipline", "set", "general", "--mcp-server", 'a b={"command":"a"}'], 2, '"a b" is not a server name'],
  [
    ["discipline", "set", "general", "--mcp-server", 'ralph={"command":"a"}'],
    1,
    "those of the built-in server",
  ],
  [
    ["discipline", "set", "general", "--no-mcp-servers", "--mcp-server", 'x={"command":"a"}'],
    2,
    "cannot be used with",
  ],
] as const)("signalbox %j exits with %i and says what was wrong", async (args, exitCode, message) => {
  const before = await project.log.head();
  const ran = await signalbox(args, { cwd });
  expect(ran).toMatchObject({ ...fails(exitCode, message), stdout: "" });
  expect(await project.log.head()).toBe(before);
});
