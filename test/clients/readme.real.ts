import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { makeRepository } from "../loop/given-loop.ts";
import { firstMinutes } from "../support/first-minutes.ts";
import { onTerminal } from "../support/terminal.ts";
import { startModelServer } from "./model-server.ts";
import { type Act, clientFolder, realClients } from "./real-client.ts";

/* Catches: a newcomer who does what the README says, with the real Claude Code, and has no finished task at the end. */
test("the README's five commands lead to a finished task with a changed file", async () => {
  const { claude } = realClients;
  const { inRepository } = firstMinutes();

  const home = clientFolder("readme-home");
  const prefix = join(home, "npm");
  mkdirSync(join(prefix, "bin"), { recursive: true });
  mkdirSync(join(prefix, "lib"));
  // test/build/install.test.ts installs the package; this is about the client.
  const env = { PATH: process.env.PATH ?? "", HOME: home };
  symlinkSync(packagePath("bin/signalbox.js"), join(prefix, "bin", "signalbox"));

  const acts: Act[] = [
    { write: "hello.txt", content: "hello\n" },
    { signal: "done", with: { summary: "hello.txt has its line." } },
    { say: "That is all." },
  ];
  const model = await startModelServer([acts.map((act) => claude.turn(act))]);
  onTestFinished(() => model.close());
  symlinkSync(claude.program, join(prefix, "bin", "claude"));
  const folder = clientFolder("readme-repository");
  makeRepository(folder);
  const newcomer = {
    ...env,
    ...claude.environment(home, model.url),
    PATH: [join(prefix, "bin"), process.env.PATH].join(delimiter),
  };
  writeFileSync(join(home, "typed.sh"), `set -e\n${inRepository.join("\n")}\necho all is typed\n`);
  const typed = onTerminal(`bash ${join(home, "typed.sh")}`, { cwd: folder, env: newcomer, rows: 50 });
  await typed.shows("[claude]:");
  typed.type("\r");
  await typed.shows("[edit]:");
  typed.type("\r\rWrite hello.txt, with one line: hello.\r\r");
  expect(await typed.shows("all is typed")).toMatch(/Done: hello.txt has its line/);
  expect(await typed.ended()).toBe(0);

  expect(model.requests[0]?.body).toContain("one line: hello.");
  expect(readFileSync(join(folder, "hello.txt"), "utf8")).toBe("hello\n");
  expect(sh("git status --porcelain hello.txt", folder, newcomer).stdout).toBe("?? hello.txt\n");
  expect(JSON.parse(sh("signalbox task show 1 --json", folder, newcomer).stdout)).toMatchObject({
    status: "done",
  });
});

function sh(command: string, cwd: string, env: NodeJS.ProcessEnv) {
  return spawnSync("bash", ["-c", command], { cwd, env, encoding: "utf8" });
}
