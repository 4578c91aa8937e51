import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { identityOf } from "../../src/lib/processes/identity.ts";
import { startProcess } from "../children.ts";
import { selfSigned } from "../support/certificate.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: a container that is healthy because of what runs in another one, or though its program hangs. */

/** @returns the exit code, and what is told as JSON and in words */
async function health(folder: string) {
  const [json, words] = await Promise.all([
    signalbox(["health", "--json"], { cwd: folder }),
    signalbox(["health"], { cwd: folder }),
  ]);
  return { exitCode: json.exitCode, ...JSON.parse(json.stdout), words: words.stdout };
}

async function givenServer(command: readonly string[]) {
  const { folder, db } = await freshProject();
  const args = [packagePath("bin/signalbox.js"), ...command, "--port", "0", "--json", "--db", db];
  const child = startProcess(process.execPath, args);
  const { port } = JSON.parse(await child.says());
  return { folder, child, port };
}

test("a folder in which nothing runs is not healthy", async () => {
  const { folder } = await freshProject();
  expect(await health(folder)).toMatchObject({
    exitCode: 1,
    healthy: false,
    words: expect.stringContaining("Start `signalbox run` or `signalbox serve`."),
  });
});

test("a loop is healthy as long as it gives signs of life, and says nothing about another container", async () => {
  const { folder } = await freshProject();
  await signalbox(["driver", "beat", "d-1", "--pid", String(process.pid)], { cwd: folder });
  expect(await health(folder)).toMatchObject({
    exitCode: 0,
    loops: [{ driver: "d-1", responds: true }],
    words: expect.stringContaining("d-1 gave a sign of life"),
  });
  const file = join(folder, ".ralph/drivers/d-1.json");
  const before = Date.now() / 1_000 - 40;
  utimesSync(file, before, before);
  expect(await health(folder)).toMatchObject({
    exitCode: 1,
    loops: [{ driver: "d-1", responds: false }],
    words: expect.stringMatching(/d-1 has given no sign of life for 4\d s/),
  });
  const entry = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...entry, host: "another-container" }));
  expect(await health(folder)).toMatchObject({ exitCode: 1, loops: [] });
});

test("a server is healthy as long as it answers here, whatever stands before it", {
  tags: "openssl",
}, async () => {
  const behind = await givenServer(["serve", "--public-url", "https://box.example"]);
  expect(await health(behind.folder)).toMatchObject({
    exitCode: 0,
    server: { url: `http://127.0.0.1:${behind.port}`, responds: true },
  });
  behind.child.process.kill("SIGTERM");
  await behind.child.finish();
  expect(await health(behind.folder)).toMatchObject({ exitCode: 1, server: null });

  const { cert, key } = selfSigned(["DNS:box.example"]);
  const tls = ["--tls-cert", cert, "--tls-key", key];
  const own = await givenServer(["mcp", "--http", "--host", "0.0.0.0", ...tls]);
  expect(await health(own.folder)).toMatchObject({
    exitCode: 0,
    server: { url: `https://127.0.0.1:${own.port}`, responds: true },
  });
  await own.child.kill();
  // A process that runs here, and does not listen there any more.
  const file = join(own.folder, ".ralph/run/server.json");
  expect(existsSync(file)).toBe(true);
  const told = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...told, process: identityOf(process.pid) }));
  expect(await health(own.folder)).toMatchObject({
    exitCode: 1,
    server: { responds: false },
    words: expect.stringContaining("does not answer"),
  });
});
