import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { startProcess } from "../children.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { asks, givenProject } from "./given.ts";

/* Catches: a notice that does not arrive, or arrives under another id after a kill, and an answer that is not recorded. */

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

interface Hook {
  readonly id: string;
  readonly at_ms: number;
  readonly notices: readonly {
    text: string;
    link: string;
    acts: { label: string; answer: { url: string; body: object } }[];
  }[];
}

/** A receiver that checks each message with the reference verifier. */
async function receiver(answer: (count: number) => number | "never" = () => 204) {
  const heard: Hook[] = [];
  const verifier = new Webhook(SECRET.slice("whsec_".length));
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const told = verifier.verify(body, request.headers as Record<string, string>) as {
      data: { notices: Hook["notices"] };
    };
    heard.push({ id: String(request.headers["webhook-id"]), at_ms: Date.now(), notices: told.data.notices });
    const status = answer(heard.length);
    if (status !== "never") response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function givenServed(url: string) {
  const given = await givenProject({
    people: { ada: { role: "answer", channels: ["team"] } },
    notices: {
      url: "https://box.example",
      channels: { team: { kind: "webhook", url, private: true, secret: { env: "HOOK" } } },
    },
  });
  const start = async () => {
    process.env.HOOK = SECRET;
    const args = [packagePath("bin/signalbox.js"), "serve", "--port", "0", "--json", "--db", given.db];
    const child = startProcess(process.execPath, args);
    const { port } = JSON.parse(await child.says());
    return { child, origin: `http://127.0.0.1:${port}` };
  };
  return { ...given, start };
}

test("a question reaches a webhook while a panel is served, and its answer comes back as the person's", async () => {
  const { heard, url } = await receiver();
  const { project, folder, start } = await givenServed(url);
  const { origin } = await start();
  const { events } = await project.log.append([asks("Sync or async?", ["sync", "async"])]);
  await expect
    .poll(() => heard)
    .toMatchObject([{ id: events[0]?.id, notices: [{ text: "Sync or async?" }] }]);
  const [act] = heard[0]?.notices[0]?.acts ?? [];
  expect(act).toMatchObject({ label: "sync", answer: { url: "https://box.example/notices/answer" } });
  const answered = await fetch(`${origin}/notices/answer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(act?.answer.body),
  });
  expect(await answered.json()).toEqual({ message: "Recorded as ada's: answer." });
  expect(await signalboxJson(["inbox", "list"], { cwd: folder })).toMatchObject({ inbox: [] });
  expect(await signalboxJson(["notify", "status"], { cwd: folder })).toMatchObject({
    telling: true,
    channels: [{ channel: "team", waiting: 0, sent: 1, last_error: null }],
  });
});

test("after a kill in the middle of a message it is told again, under the same id", async () => {
  const { heard, url } = await receiver((count) => (count === 1 ? "never" : 204));
  const { project, start } = await givenServed(url);
  const { child } = await start();
  await project.log.append([asks("Sync or async?")]);
  await expect.poll(() => heard.length).toBe(1);
  await child.kill();
  await start();
  await expect.poll(() => heard.length).toBe(2);
  expect(heard[1]?.id).toBe(heard[0]?.id);
});

test("a channel that refuses for good leaves a dead letter, which a person can have told again", async () => {
  const { heard, url } = await receiver((count) => (count === 1 ? 410 : 204));
  const { project, folder, start } = await givenServed(url);
  await start();
  await project.log.append([asks("Sync or async?")]);
  await expect
    .poll(() => signalboxJson(["notify", "status"], { cwd: folder }))
    .toMatchObject({ dead: [{ channel: "team", attempts: 1, error: expect.stringContaining("410") }] });
  expect((await signalbox(["notify", "retry"], { cwd: folder })).stdout).toBe("1 notice is told again.\n");
  await expect.poll(() => heard.length).toBe(2);
  expect((await signalbox(["notify", "retry"], { cwd: folder })).stderr).toContain("No notice was given up.");
  const tested = await signalbox(["notify", "test", "tean"], { cwd: folder, env: { HOOK: SECRET } });
  expect(tested.stderr).toContain('There is no channel "tean". The channels are team.');
  expect(await signalbox(["notify", "test"], { cwd: folder, env: { HOOK: SECRET } })).toMatchObject({
    exitCode: 0,
  });
  expect(await signalbox(["notify", "test"], { cwd: folder })).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("kept in the environment variable HOOK, which is not set"),
  });
});
