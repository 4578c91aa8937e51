import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { givenConfig } from "../support/project.ts";
import { type Installed, installed, useInstalled } from "./installed.ts";

useInstalled();

const REPORTING = `
import { createTask, initProject, openProject, Refusal, reportSignal, startSession } from "signalbox";

await initProject("shop");
await using project = await openProject("shop", { actor: "my-agent" });
await project.decide(createTask({ title: "Export orders as CSV" }));
await project.decide(createTask({ title: "Mail them" }));
await project.decide(startSession({ task: 1, session: "s-1" }));

const partial = { session: "s-1", task: 1, verb: "partial", args: { summary: "The header.", remaining: "The rows." } } as const;
const first = await reportSignal(project, { ...partial, key: "the-partial" });
const again = await reportSignal(project, { ...partial, key: "the-partial" });
const other = await reportSignal(project, { ...partial, args: { ...partial.args, summary: "The rows." } });
tell([first.recorded, first.position === again.position, other.position - first.position]);
const [event] = await project.log.read(first.position - 1, 1);
tell([event?.type, event?.actor, event?.correlation, event?.payload]);

tell(await codeOf(reportSignal(project, { ...partial, task: 9 })));
tell(await codeOf(reportSignal(project, { ...partial, task: 2 })));
tell(await codeOf(reportSignal(project, { ...partial, args: {} })));

async function codeOf(report: Promise<unknown>) {
  return report.then(() => "recorded", (error: Error & { code: string }) => [error.name, error.code, error instanceof Refusal]);
}
`;

test("an agent reports from TypeScript: once under a key, in its session, and what cannot be is refused", () => {
  expect(installed().told(REPORTING)).toEqual([
    ["partial on task 1 in session s-1", true, 1],
    [
      "signal.partial",
      "agent",
      "s-1",
      { task: 1, session: "s-1", summary: "The header.", remaining: "The rows." },
    ],
    ["Refusal", "not_found", true],
    ["Refusal", "not_possible", true],
    ["LogError", "invalid_event", false],
  ]);
});

const RUNNING = `
import { createTask, openProject, reportSignal, runLoop } from "signalbox";

await using project = await openProject("shop", { actor: "my-driver" });
for (const title of ["Export orders as CSV", "Mail them"]) await project.decide(createTask({ title }));

const told: string[] = [];
const limited = await runLoop(project, "shop", { maxSessions: 1, tell: ({ step }) => void told.push(step) });
tell([limited.ending, limited.sessions, told.includes("session_started"), told.at(-1)]);

const done = await runLoop(project, "shop", {
  tell: (step) => {
    if (step.step === "session_started") tell(step.task);
  },
});
tell([done.ending, done.sessions]);
tell((await project.queries.tasks()).map(({ status }) => status));

await project.decide(createTask({ title: "Never begun" }));
const finished = await runLoop(project, "shop", { finish: AbortSignal.abort("enough for today") });
tell([finished.ending, finished.sessions]);
`;

/** An agent that says as Claude Code does that it reached our server, and reports by our command. */
const AGENT = `
echo '{"type":"system","subtype":"init","session_id":"1","model":"m","mcp_servers":[{"name":"ralph","status":"connected"}]}'
"$1" "$2" signal done --session "$RALPH_SESSION_ID" --task "$RALPH_TASK_ID" --summary "Done as asked."
`;

test("a loop runs agents from TypeScript, tells its steps, and ends as it is asked to", () => {
  const { folder, told } = installedWithAgent();
  expect(told(RUNNING)).toEqual([
    ["max_sessions", 1, true, "loop_stopped"],
    2,
    ["nothing_ready", 1],
    ["done", "done"],
    ["signal", 0],
  ]);
  expect(readFileSync(join(folder, "shop/.ralph/config.json"), "utf8")).toContain("agent.sh");
});

function installedWithAgent(): Installed {
  const one = installed();
  const shop = join(one.folder, "shop");
  one.told(`import { initProject } from "signalbox"; await initProject("shop");`);
  writeFileSync(join(one.folder, "agent.sh"), AGENT);
  const program = join(one.folder, "node_modules/signalbox/bin/signalbox.js");
  const command = ["sh", join(one.folder, "agent.sh"), process.execPath, program].join(" ");
  givenConfig(shop, { agent: "sh", agents: { sh: { kind: "command", command } } });
  return one;
}

const VERIFYING = `
import { addComment, createTask, exportLog, initProject, openProject, verifyLog } from "signalbox";

await initProject("shop");
{
  await using project = await openProject("shop");
  await project.decide(createTask({ title: "Export orders as CSV" }));
  await project.decide(addComment({ task: 1, author: "human", body: "With a header." }));
}
const { events, root, damage } = await verifyLog("shop");
tell([events, root.length, damage]);
let text = "";
for await (const line of exportLog("shop")) text += line;
tell(text);
`;

const VERIFYING_AGAIN = `
import { exportLog, verifyLog } from "signalbox";

const { events, damage } = await verifyLog("shop");
tell([events, damage]);
const lines: string[] = [];
try {
  for await (const line of exportLog("shop")) lines.push(line);
  tell("exported");
} catch (error) {
  tell((error as Error & { code: string }).code);
}
`;

test("a log is verified and exported from TypeScript, and an altered one is told", () => {
  const { folder, told, run } = installed();
  const [verified, exported] = told(VERIFYING);
  expect(verified).toEqual([4, 64, null]);
  const lines = String(exported)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toMatchObject({ position: 4, type: "comment.added" });

  mkdirSync(join(folder, "copy/.ralph/db"), { recursive: true });
  writeFileSync(join(folder, "log.jsonl"), String(exported));
  const copy = join(folder, "copy");
  const cli = "node_modules/signalbox/bin/signalbox.js";
  expect(run(cli, "import", join(folder, "log.jsonl"), "--db", copy).stderr).toBe("");
  expect(run(cli, "export", "--db", copy).stdout).toBe(exported);

  alterComment(join(folder, "shop/.ralph/db/events.db"));
  expect(told(VERIFYING_AGAIN)).toEqual([
    [3, expect.objectContaining({ check: "leaf_hash", position: 4 })],
    "damaged",
  ]);
});

/** As somebody does who writes to the file itself. */
function alterComment(path: string): void {
  const database = new Database(path);
  const guard = database
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'events_are_not_changed'")
    .pluck()
    .get();
  database.exec("DROP TRIGGER events_are_not_changed");
  database.exec("UPDATE events SET payload = replace(payload, 'a header', 'no header') WHERE position = 4");
  database.exec(String(guard));
  database.close();
}
