import { join } from "node:path";
import { expect } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import { temporaryFolder } from "../events/given.ts";
import { copyProject } from "../support/project.ts";
import { spawnServer } from "./agent-server.ts";
import { campaign } from "./campaign.ts";
import { checkRequests } from "./checked-requests.ts";
import { generateRequests } from "./generated-requests.ts";
import { SESSION, TASK } from "./line-kinds.ts";
import { eventsIn, givenProject } from "./one-task.ts";

/*
 * Catches: a request of either era that is answered twice or never, or as if the server had failed; one that is broken in a
 * way that ends the server; an answer that says that something was recorded which was not, or the other way round.
 */

/** Messages that each point sends to a server of its own. */
const MESSAGES = 1_000;
const MOST_AT_ONCE = 60;

campaign({
  line: "requests",
  promise:
    "each request of 1,000 generated messages of both eras, whole, broken and cancelled, is answered once, never as if the server had failed; what was acknowledged is in the log, and nothing refused is",
  small: 4,
  large: 1_000,
  atOnce: 2,
  open: givenProject,
  close: ({ remove }) => remove(),
  async point(number, { path }) {
    const folder = temporaryFolder();
    copyProject(path, folder.path);
    const context = join(folder.path, ".ralph/mcp/context.json");
    const launch = { task: TASK, session: SESSION, db: readModelPathIn(folder.path) };
    // Every fourth is a human's own client, which has every tool.
    const server = spawnServer(number % 4 === 3 ? { ...launch, context } : launch);
    try {
      const sent = generateRequests(number, MESSAGES);
      const lines = sent.map((message) => `${JSON.stringify(message)}\n`);
      for (let at = 0, size = 1; at < lines.length; at += size) {
        size = 1 + ((number + at * 7) % MOST_AT_ONCE);
        await server.write(lines.slice(at, at + size).join(""));
        if (at % 3 === 0) await isAlive(server, at);
      }
      await isAlive(server, lines.length);
      server.process.stdin.end();
      expect(await server.closed, "exit code").toBe(0);
      return { messages: sent.length, ...checkRequests(sent, server, await eventsIn(folder.path)) };
    } finally {
      server.process.kill("SIGKILL");
      await server.closed;
      folder.remove();
    }
  },
  conclude({ messages = 0, results = 0, errors = 0, recorded = 0, cancelled = 0 }) {
    for (const kind of [results, errors]) expect(kind).toBeGreaterThan(messages / 5);
    expect(recorded).toBeGreaterThan(messages / 10);
    expect(cancelled).toBeGreaterThan(messages / 500);
  },
});

async function isAlive(server: ReturnType<typeof spawnServer>, at: number): Promise<void> {
  const id = `alive ${at}`;
  await server.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
  expect(await server.answered(id)).toEqual({ jsonrpc: "2.0", id, result: {} });
}
