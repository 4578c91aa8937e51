import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { packagePath } from "../../src/package-root.ts";
import { signalbox } from "../support/cli.ts";
import { freshFolder } from "../support/project.ts";
import { ask, cookieOf } from "../web/support/ask.ts";

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "close");
  }
});

/** `signalbox serve --json` in a folder, once it has printed where. */
async function serve(cwd: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "serve", "--json", ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "" },
  });
  children.push(child);
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const panel: { address: string; addresses: string[]; port: number } = JSON.parse(line);
  return { child, panel };
}

async function project(): Promise<string> {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  return cwd;
}

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it at once, though pages are open", async (signal) => {
  const { child, panel } = await serve(await project(), "--port", "0");
  const cookie = await cookieOf(panel);
  const streams = [1, 2, 3].map(() =>
    ask(panel, "/api/stream", { headers: { cookie } }).catch(() => "cut off"),
  );
  expect((await ask(panel, "/api/overview", { headers: { cookie } })).status).toBe(200);
  child.kill(signal);
  expect(await once(child, "close")).toEqual([0, null]);
  await Promise.all(streams);
});

test("it listens on the loopback alone, and prints an address that a browser can open", async () => {
  const { panel } = await serve(await project(), "--port", "0");
  expect(panel.address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${panel.port}/\\?token=[\\w-]{43}$`));
  await expect(ask(panel, "/")).resolves.toMatchObject({ status: 401 });
});

test("two projects have their panels beside each other, and a port that is taken is told", async () => {
  const [one, two] = [await serve(await project()), await serve(await project())];
  expect(two.panel.port).not.toBe(one.panel.port);
  const taken = await signalbox(["serve", "--port", String(one.panel.port)], { cwd: await project() });
  expect(taken).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/Port \d+ is in use.*--port/) });
});

test("it goes past a port that another program has", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const taken = await signalbox(["serve", "--port", String(port)], { cwd: await project() });
  expect(taken.exitCode).toBe(3);
  other.close();
});

test.each([
  ["--port", "70000", "0 to 65535"],
  ["--port", "x", "whole number"],
])("%s %s is refused", async (option, value, words) => {
  const ran = await signalbox(["serve", option, value], { cwd: await project() });
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) });
});

test("people are told where to look, and what the address is worth", async () => {
  const cwd = await project();
  const child = spawn(process.execPath, [packagePath("bin/signalbox.js"), "serve", "--port", "0"], {
    cwd,
    env: {},
  });
  children.push(child);
  let text = "";
  for await (const part of child.stdout.setEncoding("utf8")) {
    text += part;
    if (text.includes("Ctrl-C")) child.kill("SIGINT");
  }
  expect(text).toContain(cwd);
  expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\?token=/);
  expect(text).toContain("Whoever has this address can decide in your name.");
});
