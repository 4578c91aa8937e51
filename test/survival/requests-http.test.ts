import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";
import { temporaryFolder } from "../events/given.ts";
import { answerId } from "../mcp/generated-messages.ts";
import { signalboxJson } from "../support/cli.ts";
import { copyProject } from "../support/project.ts";
import { campaign } from "./campaign.ts";
import { checkAnswer, checkRecorded, isAnswered } from "./checked-requests.ts";
import { generateRequests, type Sent } from "./generated-requests.ts";
import { connectHttp, type Posted } from "./http-requests.ts";
import { SESSION } from "./line-kinds.ts";
import { eventsIn, givenProject } from "./one-task.ts";

/*
 * Catches over HTTP what requests.test.ts catches over stdio, and besides: an answer that goes to another request; a status that
 * says that the server has failed.
 */

/** Messages that each point sends to a server of its own. */
const MESSAGES = 1_000;
const AT_ONCE = 8;

campaign({
  line: "requests-http",
  promise:
    "each request of 1,000 generated messages of both eras over HTTP has its own answer, whole, broken or among others, never as if the server had failed; what was acknowledged is in the log, and nothing refused is",
  small: 2,
  large: 1_000,
  atOnce: 2,
  open: givenProject,
  close: ({ remove }) => remove(),
  async point(number, { path }) {
    const folder = temporaryFolder();
    copyProject(path, folder.path);
    const server = spawn(
      process.execPath,
      [packagePath("bin/signalbox.js"), "mcp", "--http", "--port", "0", "--json"],
      { cwd: folder.path, stdio: ["ignore", "pipe", "pipe"] },
    );
    let complaints = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
    const closed = once(server, "close");
    try {
      await once(server.stdout, "data");
      const launch = ["launch", "signals", "--session", SESSION, "--transport", "http"];
      const { url, token } = launched.parse(await signalboxJson(launch, { cwd: folder.path }));
      const client = await connectHttp(url, token);
      const sent = generateRequests(number, MESSAGES).map(withoutCancelling);
      const posted: Posted[] = [];
      for (let at = 0; at < sent.length; at += AT_ONCE)
        posted.push(...(await postAtOnce(client.post, sent.slice(at, at + AT_ONCE))));
      for (const [index, { status, answers }] of posted.entries())
        checkPosted(sent[index] ?? {}, status, answers);
      server.kill("SIGTERM");
      expect((await closed)[0], complaints).toBe(0);
      const all = posted.flatMap(({ answers }) => answers).filter(({ method }) => method === undefined);
      const recorded = checkRecorded(sent, all, await eventsIn(folder.path));
      const errors = all.filter(({ error }) => error !== undefined).length;
      return { messages: sent.length, results: all.length - errors, errors, recorded };
    } finally {
      server.kill("SIGKILL");
      await closed;
      folder.remove();
    }
  },
  conclude({ messages = 0, results = 0, errors = 0, recorded = 0 }) {
    for (const kind of [results, errors]) expect(kind).toBeGreaterThan(messages / 5);
    expect(recorded).toBeGreaterThan(messages / 20);
  },
});

const launched = z.object({ url: z.string(), token: z.string() });

/** Who cancels a request of the older era waits for no answer, and who has none of the newer one leaves. */
function withoutCancelling(message: Sent): Sent {
  if (message.method !== "notifications/cancelled") return message;
  return { jsonrpc: "2.0", method: "notifications/initialized" };
}

type Post = Awaited<ReturnType<typeof connectHttp>>["post"];

/** Messages with ids of their own are sent at once. Streams are left when all others are answered. */
async function postAtOnce(post: Post, messages: readonly Sent[]): Promise<Posted[]> {
  const leaving = new AbortController();
  const ids = new Set<unknown>();
  const all: Promise<Posted>[] = [];
  for (const message of messages) {
    const id = answerId(message);
    if (id !== null && ids.has(id)) await Promise.all(all.filter((_, index) => !isStream(messages[index])));
    ids.add(id);
    all.push(post(message, isStream(message) ? leaving.signal : new AbortController().signal));
  }
  await Promise.all(all.filter((_, index) => !isStream(messages[index])));
  leaving.abort();
  return Promise.all(all);
}

function isStream(message: Sent | undefined): boolean {
  return message?.method === "subscriptions/listen";
}

function checkPosted(message: Sent, status: number, answers: Posted["answers"]): void {
  const about = `${status} ${JSON.stringify(message).slice(0, 400)} ${JSON.stringify(answers).slice(0, 400)}`;
  const own = answers.filter(({ method }) => method === undefined);
  expect(status, about).toBeLessThan(500);
  if (isStream(message) && own.length === 0) return;
  // Even what asks for no answer is refused with one over HTTP, if it cannot be taken.
  expect(own.length, about).toBe(isAnswered(message) || status >= 400 ? 1 : 0);
  for (const answer of own) {
    checkAnswer(answer, [HEADER_MISMATCH, SESSION_NOT_FOUND, UNNAMED]);
    expect([answerId(message), null], about).toContain(answer.id);
  }
}

const HEADER_MISMATCH = -32_020;
const SESSION_NOT_FOUND = -32_001;
/** The SDK's for what is wrong with HTTP. */
const UNNAMED = -32_000;
