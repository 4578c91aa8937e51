import { existsSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../../src/lib/package-root.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { type Child, startProcess } from "../../children.ts";
import { selfSigned } from "../../support/certificate.ts";
import { fails, signalbox } from "../../support/cli.ts";
import { freshProject, reopened } from "../../support/project.ts";
import { cookieOf } from "../../web/support/ask.ts";
import { connectHttp, post, whole } from "./given.ts";

/* Servers in processes of their own, and the commands around them. */

async function given() {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  return { project, folder, db };
}

/** Starts a server with `--json`, and waits until it listens. */
async function start(
  db: string,
  command: readonly string[],
): Promise<{ child: Child; said: Record<string, string> }> {
  const args = [...command, "--port", "0", "--json", "--db", db];
  const child = startProcess(process.execPath, [packagePath("bin/signalbox.js"), ...args]);
  return { child, said: JSON.parse(await child.says()) };
}

async function launch(folder: string, ...args: readonly string[]) {
  const ran = await signalbox(["session", "start", "1", "--transport", "http", "--json", ...args], {
    cwd: folder,
  });
  const launched: { session: string; url: string; token: string } = JSON.parse(ran.stdout || "{}");
  return { ran, ...launched };
}

const done = (summary: string) => whole("tools/call", { name: "done", arguments: { summary } });

test("an agent does its task at `signalbox mcp --http` with what `session start` printed, to its end", async () => {
  const { project, folder, db } = await given();
  const { child, said } = await start(db, ["mcp", "--http"]);
  const { url, token, session } = await launch(folder);
  expect(url).toBe(said.url);
  const client = await connectHttp("sdk 1", url, token);
  await client.callTool({ name: "done", arguments: { summary: "It exports." } });
  await signalbox(["session", "end", session, "--exit", "exited"], { cwd: folder });
  expect(await project.queries.taskRow(1)).toMatchObject({ status: "done" });
  child.process.kill("SIGTERM");
  expect(await child.finish()).toEqual([]);
  expect(existsSync(join(folder, ".ralph", "run", "server.json"))).toBe(false);
  const late = await launch(folder, "--force");
  expect(late.ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("signalbox mcp --http") });
});

test("`signalbox launch --transport http` writes what a client needs, and the panel's server answers it", async () => {
  const { folder, db } = await given();
  const { said } = await start(db, ["serve"]);
  const asked = ["launch", "task_execution", "--task", "1", "--transport", "http", "--json"];
  const launched = JSON.parse((await signalbox(asked, { cwd: folder })).stdout);
  const { mcpServers } = JSON.parse(readFileSync(launched.mcp_config, "utf8"));
  expect(mcpServers.ralph).toMatchObject({
    type: "http",
    url: `http://127.0.0.1:${said.port}/mcp`,
    headers: { Authorization: `Bearer ${launched.token}` },
  });
  const { body, headers } = whole("tools/list");
  const listed = await post({ url: launched.url, tokens: [launched.token] }, body, { headers });
  const { result } = (await listed.json()) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name).toSorted()).toEqual(launched.tools.toSorted());
  // The page's cookie is no token, and a token opens no page.
  const cookie = await cookieOf({ address: said.address ?? "", port: Number(said.port) } as never);
  const withCookie = await post({ url: launched.url, tokens: ["none"] }, body, {
    headers: { ...headers, cookie },
  });
  expect(withCookie.status).toBe(401);
  const page = await fetch(new URL("/api/overview", launched.url), {
    headers: { authorization: `Bearer ${launched.token}` },
  });
  expect(page.status).toBe(401);
});

test("a panel that only shows takes no reports", async () => {
  const { folder, db } = await given();
  await start(db, ["serve", "--read-only"]);
  expect((await launch(folder)).ran).toMatchObject(fails(1, "no_server"));
});

test("a server that is killed in the middle of calls loses none that it has answered, and the next one records no call twice", async () => {
  const { project, folder, db } = await given();
  let { child } = await start(db, ["mcp", "--http"]);
  let { url, token } = await launch(folder);
  const answered = new Set<number>();
  const call = (nth: number) => {
    const _meta = { "claudecode/toolUseId": `toolu_${nth}` };
    const args = { text: `Point ${nth} sticks.`, kind: "discovery" };
    return whole("tools/call", { name: "learned", arguments: args, _meta });
  };
  const send = async (nth: number) => {
    const { body, headers } = call(nth);
    const response = await post({ url, tokens: [token] }, body, { headers });
    await response.json();
    if (response.status === 200) answered.add(nth);
  };
  const sent = Array.from({ length: 40 }, (_, nth) => send(nth).catch(() => {}));
  await expect.poll(() => answered.size, { interval: 1 }).toBeGreaterThan(3);
  await child.kill();
  await Promise.all(sent);
  const before = [...answered];
  ({ child } = await start(db, ["mcp", "--http"]));
  ({ url } = JSON.parse(readFileSync(join(folder, ".ralph", "run", "server.json"), "utf8")));
  for (let nth = 0; nth < 40; nth++) await send(nth);
  const texts = (await project.log.read(0, 1_000)).flatMap(({ type, payload }) =>
    type === "signal.learned" ? [payload.text] : [],
  );
  expect(before.length).toBeGreaterThan(3);
  expect(texts.toSorted()).toEqual(Array.from({ length: 40 }, (_, nth) => `Point ${nth} sticks.`).toSorted());
  await child.kill();
});

test("other machines are served with TLS, by the certificate that is given", {
  tags: "openssl",
}, async () => {
  const { folder, db } = await given();
  const { cert, key } = selfSigned(["DNS:localhost", "IP:127.0.0.1"]);
  const { child, said } = await start(db, [
    "mcp",
    "--http",
    "--host",
    "0.0.0.0",
    "--tls-cert",
    cert,
    "--tls-key",
    key,
  ]);
  const { url, token } = await launch(folder);
  expect(url).toBe(`https://127.0.0.1:${said.port}/mcp`);
  const { body, headers } = done("It exports.");
  const status = await new Promise((resolve, reject) => {
    const all = {
      ...headers,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    request(url, { method: "POST", ca: readFileSync(cert), headers: all }, ({ statusCode }) =>
      resolve(statusCode),
    )
      .on("error", reject)
      .end(JSON.stringify(body));
  });
  expect(status).toBe(200);
  const types = (await reopened(folder, (project) => project.log.read(0, 100))).map(({ type }) => type);
  expect(types).toContain("signal.done");
  await child.kill();
  const wrong = await signalbox(["mcp", "--http", "--tls-cert", key, "--tls-key", key], { cwd: folder });
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("as PEM") });
});

test("a server that is told to end answers every call that it has recorded", async () => {
  const { project, folder, db } = await given();
  const { child } = await start(db, ["mcp", "--http"]);
  const { url, token } = await launch(folder);
  let answered = 0;
  const work = async () => {
    for (;;) {
      const { body, headers } = done("Again.");
      const response = await post({ url, tokens: [token] }, body, { headers });
      if (response.status !== 200) return;
      await response.json();
      answered += 1;
    }
  };
  const clients = Array.from({ length: 8 }, () => work().catch(() => {}));
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(10);
  child.process.kill("SIGTERM");
  await Promise.all(clients);
  const events = await project.log.read(0, 10_000);
  expect(events.filter(({ type }) => type === "signal.done")).toHaveLength(answered);
});

test("behind a proxy with TLS, its address is told and admitted", async () => {
  const { folder, db } = await given();
  const { child, said } = await start(db, ["mcp", "--http", "--public-url", "https://box.example"]);
  expect(said.url).toBe("https://box.example/mcp");
  const { url, token } = await launch(folder);
  expect(url).toBe("https://box.example/mcp");
  const { body, headers } = whole("tools/list");
  const here = { url: `http://127.0.0.1:${said.port}/mcp`, tokens: [token] };
  const origin = "https://box.example";
  expect((await post(here, body, { headers })).status).toBe(200);
  expect((await post(here, body, { headers: { ...headers, origin } })).status).toBe(403);
  await child.kill();
});

test.each([
  [["mcp", "--http", "--host", "0.0.0.0"], "without TLS anyone on the way can read the tokens"],
  [["mcp", "--http", "--via", "x.sock"], "exclude each other"],
  [["session", "start", "1", "--transport", "http", "--url", "ftp://box"], "http://127.0.0.1:4100/mcp"],
  [["session", "start", "1", "--transport", "pigeon"], "stdio, http"],
])("%j is refused with what would be right", async (args, words) => {
  const { folder } = await given();
  const ran = await signalbox(args, { cwd: folder });
  expect(ran).toMatchObject({ ...fails(2, words), stdout: "" });
});
