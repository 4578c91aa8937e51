import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { openRelays } from "../../src/loop/relays.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { useBundle } from "../children.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder, freshProject, givenConfig } from "../support/project.ts";
import { type GivenLoop, givenLoop, stepsOf } from "./given-loop.ts";
import { type Act, works } from "./script.ts";

/* Catches: a relay that records otherwise than a server over stdio; sockets that outlive their driver; an agent of another user kept out, or let in too far. */

const { path: agent } = useBundle("test/loop/children/stand-in-agent.ts");
const DONE: Act = { call: "done", with: { summary: "Done as asked." } };

/**
 * The events of a loop's log by actor, as far as two runs of the same script agree: a driver and its agent are not in step, and an agent that
 * takes long is said to go on.
 */
async function story({ project }: GivenLoop): Promise<Record<string, unknown[]>> {
  const by: Record<string, unknown[]> = {};
  for (const { type, actor, payload } of await project.log.read(0, 1_000)) {
    if (type === "agent.progressed") continue;
    const told = ["exit_code", "passed", "server", "summary", "outcome", "question"].map((name) => [
      name,
      Reflect.get(payload, name),
    ]);
    by[actor] = [...(by[actor] ?? []), { type, ...Object.fromEntries(told) }];
  }
  return by;
}

test("a loop ends its tasks over the relay as over stdio, with the same events", async () => {
  const given = (config: object) =>
    givenLoop(agent, {
      tasks: [
        { title: "Export", gates: [{ command: "test -e exported", max: 3, timeout_s: 60 }] },
        { title: "Ask" },
        { title: "Import" },
      ],
      acts: {
        1: [[{ init: "connected" }, DONE, { shell: "touch exported" }, DONE, { result: {} }]],
        2: [
          [
            { init: "connected" },
            { call: "ask", with: { question: "Which?", blocking: true } },
            { call: "partial", with: { summary: "Half.", remaining: "Half." } },
            { result: {} },
          ],
        ],
      },
      others: [works()],
      config,
    });
  const folder = freshFolder();
  const [stdio, relayed] = [await given({}), await given({ relay: { folder } })];
  const ran = [await stdio.run(), await relayed.run()];
  expect(ran.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  expect(await story(relayed)).toEqual(await story(stdio));
  const statuses = (await relayed.project.queries.tasks()).map(({ status }) => status);
  expect(statuses).toEqual(["done", "needs_input", "done"]);
  expect(stepsOf(ran[1]?.steps ?? [], "agent_started").map(({ server }) => server)).toEqual(
    Array(3).fill("connected"),
  );
  for (const { session } of relayed.started()) {
    const config = readFileSync(relayed.path(`.ralph/run/${session}/mcp.json`), "utf8");
    expect(JSON.parse(config).mcpServers.ralph).toMatchObject({
      args: [expect.any(String), "mcp", "--via", expect.stringContaining(folder)],
      env: {},
    });
    expect(config).not.toContain(relayed.folder);
  }
  expect(socketsIn(folder)).toEqual([]);
});

test("after its driver was killed a socket says so, and the next driver removes it", async () => {
  const folder = freshFolder();
  const waits: Act[] = [{ init: "connected" }, { until: "/no/such/file" }];
  const loop = await givenLoop(agent, {
    tasks: [{ title: "Export" }],
    acts: { 1: [waits, works()] },
    config: { relay: { folder } },
  });
  const driver = loop.start();
  for await (const line of driver.lines) if (JSON.parse(line).step === "agent_started") break;
  await driver.kill();
  const [socket = ""] = socketsIn(folder);
  const refused = await signalbox(["mcp", "--via", socket]);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("its driver was killed") });
  const { steps } = await loop.run();
  expect(stepsOf(steps, "recovered")).toMatchObject([{ task: 1, agent_ran: true }]);
  expect(stepsOf(steps, "session_ended")).toMatchObject([{ task: 1, status: "done" }]);
  expect(socketsIn(folder)).toEqual([]);
  const gone = await signalbox(["mcp", "--via", socket]);
  expect(gone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("There is no socket") });
});

test("an agent that runs as another user reports by its group, and can read nothing of the project", {
  tags: "root",
}, async () => {
  const { project, folder } = await freshProject();
  const sockets = freshFolder();
  for (const path of [folder, sockets]) chmodSync(path, 0o711);
  const script = join(sockets, "agent.sh");
  writeFileSync(
    script,
    `id -u; env; cat "$1" "$2"; cat '${folder}/.ralph/db/events.db' '${folder}'/.ralph/run/*/* && echo CAN READ
     ls '${sockets}/signalbox-0-65534' && echo CAN LIST
     exec '${process.execPath}' '${packagePath("bin/signalbox.js")}' pretend "$1" <"$2"`,
  );
  chmodSync(script, 0o644);
  const command = `setpriv --reuid 65534 --regid 65534 --clear-groups sh ${script} {mcp_config} {prompt_file}`;
  givenConfig(folder, {
    agent: "other",
    agents: { other: { kind: "command", command } },
    relay: { folder: sockets, group: "65534" },
  });
  await project.decide(createTask({ title: "Export" }));
  const ran = await signalbox(["run", "--json"], {
    cwd: folder,
    env: {
      ...{ HOME: "/root", PGPASSWORD: "canary" },
      RALPH_DB_PATH: join(folder, ".ralph/db/ralph.db"),
      ...{ RALPH_CONTEXT: "/no/such/context.json", RALPH_WORKSPACE: folder },
    },
  });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await project.queries.tasks()).map(({ status }) => status)).toEqual(["done"]);
  const [session] = await project.queries.sessions({ task: 1 });
  const output = readFileSync(join(folder, `.ralph/run/${session?.id}/output.jsonl`), "utf8");
  expect(output).toMatch(/^65534\n/);
  expect(output).toContain("# Your task");
  expect(output).not.toMatch(/CAN READ|CAN LIST|canary|RALPH_(DB_PATH|CONTEXT|WORKSPACE)/);
  expect(readdirSync(join(sockets, "signalbox-0-65534"))).toEqual([]);
});

test.each([
  ["a group that is not there", { group: "no-such-group" }, "/etc/group has no such group"],
  ["a folder that is not there", { folder: "/no/such" }, "There is no folder /no/such"],
  ["a folder too deep", { folder: `/tmp/${"x".repeat(80)}` }, "a socket's path can have 107"],
])("a loop does not begin with %s", (_what, relay, message) => {
  expect(() => openRelays({ relay })).toThrow(message);
});

test("a folder that somebody prepared for the sockets is refused if it is a link", () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "elsewhere"));
  const own = join(folder, `signalbox-${process.getuid?.()}`);
  symlinkSync(join(folder, "elsewhere"), own);
  expect(() => openRelays({ relay: { folder } })).toThrow("is a symbolic link");
});

function socketsIn(folder: string): string[] {
  const own = join(folder, `signalbox-${process.getuid?.()}`);
  return existsSync(own) ? readdirSync(own).map((name) => join(own, name)) : [];
}
