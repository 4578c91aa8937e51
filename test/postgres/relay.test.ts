// @module-tag postgresql
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { createPostgresLog } from "../../adapters/postgres/create-log.ts";
import { Project, readModelPathIn } from "../../src/api/project.ts";
import { configPathOf } from "../../src/config/config-path.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { createDiscipline } from "../../src/operations/disciplines.ts";
import { createFeature } from "../../src/operations/features.ts";
import { ReadModel } from "../../src/read-model/read-model.ts";
import { rawConnection, relaysOf } from "../mcp/relay/given-relay.ts";
import { signalbox } from "../support/cli.ts";
import { givenServer } from "../support/postgres/given.ts";
import { freshFolder, givenConfig } from "../support/project.ts";
import { openForTest } from "./given-postgres.ts";

/* Catches: an agent that gets at the log's password by its tools; sessions that have a connection to the server each. */

const CANARY = "canary-2b9e";
const HELLO = [
  {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const call = (id: number, name: string, args: object) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: args },
});
const lines = (messages: readonly object[]) =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join("");

test("an agent reports by the relay, and nothing that it is given, reads or is answered has the log's password", async () => {
  const server = await givenServer({ password: CANARY });
  const url = new URL(server.url);
  const secrets = freshFolder();
  const env = { PGPASSFILE: join(secrets, "pgpass"), HOME: secrets };
  writeFileSync(env.PGPASSFILE, `*:*:*:${url.username}:${CANARY}\n`, { mode: 0o600 });
  url.password = "";
  url.searchParams.set("schema", "shop");
  const cwd = freshFolder();
  const works = async (...args: string[]) => {
    const ran = await signalbox(args, { cwd, env });
    expect(ran).toMatchObject({ exitCode: 0 });
    return ran;
  };
  await works("init");
  await works("fleet", "create", url.href);
  await works("fleet", "move", url.href, "--anyway");
  await works("task", "add", "Export as CSV");
  // Only root can become another user, who cannot read the file.
  const isRoot = process.getuid?.() === 0;
  const sockets = freshFolder();
  const script = join(sockets, "agent.sh");
  const input = join(sockets, "input");
  const read = (id: number, uri: string) => ({
    jsonrpc: "2.0",
    id,
    method: "resources/read",
    params: { uri },
  });
  writeFileSync(
    input,
    lines([
      ...HELLO,
      call(2, "no_such_tool", {}),
      call(3, "learned", { text: 3 }),
      { jsonrpc: "2.0", id: 4, method: "resources/list" },
      read(5, "ralph://tasks/1"),
      read(6, "file:///etc/passwd"),
      call(7, "done", { summary: "All." }),
    ]),
  );
  writeFileSync(
    script,
    `id -u; env; cat "$1" "$2"; ${isRoot ? `cat ${env.PGPASSFILE}` : ""}
     socket=$(sed -n 's/^ *"\\(.*\\/s\\..*\\)"$/\\1/p' "$1")
     env -i HOME=/nonexistent '${process.execPath}' '${packagePath("bin/signalbox.js")}' mcp --via "$socket" <${input} 2>&1`,
  );
  for (const path of [cwd, sockets]) chmodSync(path, 0o711);
  for (const path of [script, input]) chmodSync(path, 0o644);
  const as = isRoot ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  givenConfig(cwd, {
    ...JSON.parse(readFileSync(configPathOf(readModelPathIn(cwd)), "utf8")),
    agent: "other",
    agents: { other: { kind: "command", command: `${as}sh ${script} {mcp_config} {prompt_file}` } },
    relay: { folder: sockets, ...(isRoot && { group: "65534" }) },
  });
  const { stdout } = await works("run", "--once", "--json");
  const ended = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  expect(ended.find(({ step }) => step === "session_ended")).toMatchObject({ status: "done" });
  const { session } = ended.find(({ step }) => step === "session_started");
  const output = readFileSync(join(cwd, ".ralph/run", session, "output.jsonl"), "utf8");
  const answers = output
    .split("\n")
    .flatMap((line) => (line.includes('"jsonrpc"') && line.startsWith('{"') ? [JSON.parse(line).id] : []));
  expect(answers.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(output).toContain(isRoot ? "65534\n" : "# Your task");
  expect(output).not.toMatch(/PGPASS|SIGNALBOX_LOG_URL/);
  expect(output).not.toContain(CANARY);
});

test("fifty sessions of one driver have the connections of one", async () => {
  const server = await givenServer();
  const url = `${server.url}?schema=fleet`;
  await createPostgresLog(url);
  const log = await openForTest(url);
  const folder = freshFolder();
  const db = join(folder, "db/ralph.db");
  mkdirSync(join(folder, "db"));
  const readModel = new ReadModel(":memory:");
  const project = new Project({ log, readModel, environment: systemEnvironment() }, "human");
  await project.decide(createFeature({ name: "general" }));
  await project.decide(createDiscipline({ name: "general" }));
  const connections = async () =>
    (await server.ask("SELECT 1 FROM pg_stat_activity WHERE application_name = 'signalbox'")).length;
  const tasks = Array.from({ length: 50 }, (_, index) => ({ title: `Task ${index + 1}` }));
  const { socket, reports } = await relaysOf(project, { folder, db }, tasks);
  const before = await connections();
  const agents = tasks.map((_, index) => {
    const connection = rawConnection(socket(index + 1));
    connection.write(`signalbox-relay 1\n${lines([...HELLO, call(2, "done", { summary: "All." })])}`);
    return createInterface(connection)[Symbol.asyncIterator]();
  });
  for (const answers of agents) {
    expect((await answers.next()).value).toBe("signalbox-relay 1");
    expect(JSON.parse((await answers.next()).value)).toMatchObject({ id: 1, result: {} });
    expect(JSON.parse((await answers.next()).value)).toMatchObject({ id: 2, result: { content: [{}] } });
  }
  expect((await reports()).toSorted()).toEqual(
    tasks.map((_, index) => `signal.done s-${index + 1}`).toSorted(),
  );
  expect(await connections()).toBe(before);
  expect(before).toBeLessThanOrEqual(3);
});
