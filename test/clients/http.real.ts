import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { initProject, openProject } from "../../src/api/project.ts";
import { clientConfig } from "../../src/mcp/client-configs.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { ENVELOPE } from "../mcp/eras/envelope.ts";
import { signalboxJson } from "../support/cli.ts";
import { startHttpServer } from "./http-server.ts";
import { startModelServer } from "./model-server.ts";
import { ownClients, runOwnClient } from "./own-clients.ts";
import { clientFolder, realClients } from "./real-client.ts";

const kinds = ["claude", "codex", "gemini", "opencode"] as const;

/* Catches: a client that does not reach our server over HTTP, or whose calls there are not those of its session. */
test.each(kinds)("%s does a task to its end over HTTP, with the token of its session", async (kind) => {
  const { project, folder, url, token, session } = await givenSession(kind);
  const { turn } = realClients[kind];
  const acts = [
    { write: "hello.txt", content: "hello" },
    { signal: "done", with: { summary: "It is written." } },
    { say: "That is all." },
  ] as const;
  const model = await startModelServer([acts.map(turn)]);
  onTestFinished(() => model.close());
  const home = clientFolder(`${kind}-http-home`);
  const own = ownClients[kind];
  if (!own) throw new Error(`${kind} is not known.`);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TERM: "xterm-256color",
    ...own.environment(home, model.url),
  };
  const headers = { Authorization: `Bearer ${token}` };
  const place = { project: folder, home, platform: process.platform };
  const { file, content } = clientConfig(kind, { url, headers }, place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  own.trust?.(home, folder);

  const said = await runOwnClient({ ...own, args: [...own.args, ...(own.bold ?? [])] }, folder, env);
  expect(readFileSync(join(folder, "hello.txt"), "utf8").trim(), said).toBe("hello");
  const [done, ...more] = await reports();
  expect(done, said).toMatchObject({ correlation: session, payload: { summary: "It is written.", task: 1 } });
  expect(more).toEqual([]);
  if (kind !== "claude") return;
  // The name of its call came over HTTP, too: whoever makes that call again is answered with the same event.
  const again = await callAgain({ url, token }, TOOL_USE);
  expect(again.result.structuredContent.position).toBe(done?.position);
  expect(await reports()).toHaveLength(1);

  async function reports() {
    return (await project.log.read(0, 1_000)).filter(({ type }) => type === "signal.done");
  }
});

/** Of the model's second turn, by model-server.ts. */
const TOOL_USE = "call_s0_t1_0";

/** A project with a server over HTTP, and a session whose client reaches it with a token. */
async function givenSession(kind: string) {
  const folder = clientFolder(`${kind}-http-project`);
  await initProject(folder);
  const project = await openProject(folder);
  onTestFinished(() => project.close());
  await project.decide(createTask({ title: "Write hello.txt" }));
  await startHttpServer(folder);
  const launch = ["launch", "signals", "--task", "1", "--transport", "http"];
  return { project, folder, ...launched.parse(await signalboxJson(launch, { cwd: folder })) };
}

const launched = z.object({ session: z.string(), url: z.string(), token: z.string() });

async function callAgain({ url, token }: { readonly url: string; readonly token: string }, use: string) {
  const _meta = { ...ENVELOPE, "claudecode/toolUseId": use };
  const params = { name: "done", arguments: { summary: "It is written." }, _meta };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...{ Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" },
      ...{ "Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28" },
      ...{ "Mcp-Method": "tools/call", "Mcp-Name": "done" },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return answered.parse(await response.json());
}

const answered = z.object({ result: z.object({ structuredContent: z.object({ position: z.number() }) }) });
