import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type Act, readPlay } from "../../src/cli/running/pretend-play.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { overnightSteps } from "../support/overnight.ts";
import { startModelServer, type Turn } from "./model-server.ts";
import { clientFolder, realClients } from "./real-client.ts";

/* Catches: a night that only the pretended agent lives through. */
test("the real Claude Code plays the night of examples/overnight to its end", {
  // Two loops with five sessions, and a dozen commands, each in a shell.
  timeout: 900_000,
}, async () => {
  const { claude } = realClients;
  const sessions = readPlay(packagePath("examples/overnight/night.json")).map(({ acts }) => turnsOf(acts));
  const model = await startModelServer(sessions);
  onTestFinished(() => model.close());
  const home = clientFolder("overnight-home");
  mkdirSync(join(home, "bin"));
  symlinkSync(claude.program, join(home, "bin", "claude"));
  const night = join(clientFolder("overnight"), "night");
  const env = {
    ...claude.environment(home, model.url),
    HOME: home,
    PATH: [join(home, "bin"), packagePath("bin"), process.env.PATH].join(delimiter),
  };
  const library = join(night, "library");
  const run = async (command: string, cwd = library) =>
    (await promisify(execFile)("bash", ["-ec", command], { cwd, env })).stdout;
  const json = async (command: string) => JSON.parse(await run(`${command} --json`));
  const statuses = async () =>
    (await json("signalbox task list")).tasks.map(({ status }: { status: string }) => status);

  await run("git config --global user.name me && git config --global user.email me@example.org", home);
  const typed = overnightSteps().map(({ command }) =>
    command.replaceAll("/tmp/night", night).replace(/ --agent '.*'/, ""),
  );
  const [evening = "", ...others] = typed;
  await run(evening, packagePath("."));
  await run(others.find((command) => command === "signalbox run") ?? "");

  expect(await statuses()).toEqual(["done", "done", "needs_input", "needs_input"]);
  expect(
    (await json("signalbox gate runs 4")).map(({ exit_code }: { exit_code: number }) => exit_code),
  ).toEqual([1, 0]);
  const [question] = (await json("signalbox inbox")).inbox.filter(
    ({ kind }: { kind: string }) => kind === "question",
  );
  for (const command of others.filter((one) => one.startsWith("signalbox inbox")))
    await run(command.replace(/answer \d+/, `answer ${question.id}`));
  await run("signalbox run");

  expect(await statuses()).toEqual(Array(4).fill("done"));
  expect(model.requests.filter(({ begins }) => begins !== undefined)).toHaveLength(5);
  expect(model.requests.find(({ begins }) => begins === 4)?.body).toContain("refuse the file");
  expect((await run("node --test test/*.test.js >&2 && git log --format=%s main")).split("\n")).toHaveLength(
    6,
  );
  await run("signalbox verify --since ../evening.heads");
});

/** The acts of a session, by the tools of Claude Code, which edits a file only once it has read it. */
function turnsOf(acts: readonly Act[]): Turn[] {
  const read = new Set<string>();
  const turns = acts.flatMap((act): Turn[] => {
    if ("call" in act) return [call(`mcp__ralph__${act.call}`, act.with)];
    const edit = call("Edit", { file_path: act.edit, old_string: act.old, new_string: act.new });
    if (read.has(act.edit)) return [edit];
    read.add(act.edit);
    return [call("Read", { file_path: act.edit }), edit];
  });
  return [...turns, { text: "That is all." }];
}

function call(name: string, input: Readonly<Record<string, unknown>>): Turn {
  return { tools: [{ name, input }] };
}
