import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { basename } from "node:path";
import { afterEach, expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { fails, signalbox } from "../support/cli.ts";
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

/** A stream of a page that has been told something. */
async function openStream(panel: { port: number }, cookie: string): Promise<IncomingMessage> {
  const sent = get({ host: "127.0.0.1", port: panel.port, path: "/api/stream", headers: { cookie } });
  const [stream]: IncomingMessage[] = await once(sent, "response");
  if (!stream) throw new Error("The panel did not answer.");
  await once(stream, "data");
  // It is cut off when the panel ends.
  stream.on("error", () => {});
  return stream;
}

function urlOf(address: string, port: number): string {
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}/`;
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s stops the panel at once, even with open pages",
  async (signal) => {
    const { child, panel } = await serve(await project(), "--port", "0");
    const cookie = await cookieOf(panel);
    const streams = await Promise.all([1, 2, 3].map(() => openStream(panel, cookie)));
    // Nothing of it stays open.
    await ask(panel, "/api/stream", { method: "HEAD", headers: { cookie } });
    const cutOff = streams.map((stream) => new Promise((resolve) => stream.once("close", resolve)));
    child.kill(signal);
    expect(await once(child, "close")).toEqual([0, null]);
    await Promise.all(cutOff);
  },
);

test("it listens on the loopback alone, and prints an address that a browser can open", async () => {
  const { panel } = await serve(await project(), "--port", "0");
  expect(panel.address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${panel.port}/\\?token=[\\w-]{43}$`));
  expect(panel.addresses).toEqual([panel.address]);
  await expect(ask(panel, "/")).resolves.toMatchObject({ status: 401 });
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80"));
  for (const { address } of outer) await expect(fetch(urlOf(address, panel.port))).rejects.toThrow();
});

test.each([
  ["::1", "[::1]"],
  ["127.0.0.2", "127.0.0.2"],
  ["127.1", "127.0.0.1"],
])("with --host %s the address that it prints opens", async (host, name) => {
  const { panel } = await serve(await project(), "--port", "0", "--host", host);
  expect(new URL(panel.address).hostname).toBe(name);
  expect(await fetch(panel.address, { redirect: "manual" })).toMatchObject({ status: 303 });
});

test("two projects can serve their panels at once, each by its folder's name, and a port in use is reported", async () => {
  const folder = await project();
  const [one, two] = [await serve(folder), await serve(await project())];
  expect(two.panel.port).not.toBe(one.panel.port);
  const overview = await ask(one.panel, "/api/overview", { headers: { cookie: await cookieOf(one.panel) } });
  expect(JSON.parse(overview.body)).toMatchObject({ answer: { title: basename(folder) } });
  const taken = await signalbox(["serve", "--port", String(one.panel.port)], { cwd: await project() });
  expect(taken).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/Port \d+ is in use.*--port/) });
});

test("the panel skips a port that another program uses", async () => {
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
  ["--host", "", "It must be an address"],
  ["--host", "0.0.0.0", "without TLS anyone on the way can read the tokens"],
  ["--public-url", "http://box.example", "It must be an https address without a path"],
  ["--tls-cert", "cert.pem", "--tls-cert and --tls-key belong together"],
  ["--actor", "", "person's name"],
  ["--actor", "agent:s1", "person's name"],
  ["--actor", "signalbox", "person's name"],
  ["--actor", "eve\u202e", "person's name"],
])("%s %s is refused", async (option, value, words) => {
  const ran = await signalbox(["serve", option, value], { cwd: await project() });
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) });
});

test.each(["nowhere.invalid", "192.0.2.1"])(
  "--host %s is refused where this machine has no such address",
  async (host) => {
    const behind = ["--host", host, "--public-url", "https://box.example"];
    const ran = await signalbox(["serve", ...behind], { cwd: await project() });
    expect(ran).toMatchObject(fails(2, "This machine has no address"));
  },
);

test("the panel prints its address, and warns that anyone with it can decide in the user's name", async () => {
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
  expect(text).toContain("Anyone with this address can decide in your name.");
});
