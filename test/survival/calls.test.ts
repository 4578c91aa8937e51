import fc from "fast-check";
import { expect } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import type { Event } from "../../src/events/types/index.ts";
import { temporaryFolder } from "../events/given.ts";
import { copyProject } from "../support/project.ts";
import { type AgentServer, memoryOf, startServer } from "./agent-server.ts";
import { checkAnswers, countAnswered } from "./answers.ts";
import { campaign } from "./campaign.ts";
import { generateLines, type Line } from "./generated-lines.ts";
import { SESSION, TASK } from "./line-kinds.ts";
import { eventsIn, givenProject } from "./one-task.ts";

/*
 * Catches: a call that is answered twice or never, recorded otherwise than it was sent, or recorded although it was
 * refused; a line that is cut in the middle of a character; a line without an end that fills the memory or stops the
 * server; anything but the protocol on stdout; a server that outlives its client.
 */

/** Calls that each point sends to a server of its own, all of them answered. */
const CALLS = 500;
/** Calls that are sent after them, while the client goes away. */
const LAST_CALLS = 40;
const MEMORY_LIMIT_MB = 150;

campaign({
  line: "calls",
  promise:
    "500 generated calls to a server process are each answered once: recorded as called, or refused with the reason and without a trace",
  small: 4,
  large: 2_000,
  atOnce: 4,
  open: givenProject,
  close: ({ remove }) => remove(),
  async point(number, { path }) {
    const folder = temporaryFolder();
    copyProject(path, folder.path);
    const server = await startServer({ task: TASK, session: SESSION, db: readModelPathIn(folder.path) });
    try {
      const before = memoryOf(server.process).now;
      const lines = generateLines(number, CALLS);
      if (number % 4 === 1) lines.splice(CALLS / 2, 0, endlessLine(number));
      await sendInPieces(server, lines, number);
      await Promise.all(
        lines.map(({ expected }) => ("id" in expected ? server.answered(expected.id) : undefined)),
      );
      const grown = memoryOf(server.process).most - before;
      expect(grown, "MB of memory that the calls took").toBeLessThan(MEMORY_LIMIT_MB);

      await goAway(server, number);
      const events = await eventsIn(folder.path);
      const own = events.filter(
        ({ type }) => type.startsWith("signal.") || type === "session.state_reported",
      );
      const figures = checkAnswers(lines, server, own);
      checkLast(server, own.slice(figures.recorded));
      return { calls: countAnswered(lines), ...figures, mb: Math.round(grown) };
    } finally {
      server.process.kill("SIGKILL");
      await server.closed;
      folder.remove();
    }
  },
  conclude({ calls = 0, recorded = 0, refused = 0, errors = 0 }, points) {
    expect(calls).toBeGreaterThanOrEqual(points * CALLS);
    for (const kind of [recorded, refused, errors]) expect(kind).toBeGreaterThan(calls / 10);
  },
});

/** A line of 9 to 40 MB; more than the server takes. */
function endlessLine(number: number): Line {
  const bytes = Buffer.alloc((9 + (number % 32)) * 1024 * 1024, '{"jsonrpc":"2.0","id":1,');
  return { bytes, expected: { answer: "no id", code: -32_700 } };
}

/**
 * Sends lines in pieces that know nothing of lines: from a few bytes to many lines at once. Some are cut at a byte of
 * which it is certain that the server reads what is before it alone, since it answers to that first.
 */
async function sendInPieces(server: AgentServer, lines: readonly Line[], number: number): Promise<void> {
  const chances = fc.sample(
    fc.record({
      waits: fc.nat(19),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      crlf: fc.nat(9),
      piece_bytes: fc.integer({ min: 3, max: 16 }),
    }),
    { seed: number, numRuns: lines.length },
  );
  let unsent: Buffer[] = [];
  const send = async (piece_bytes: number) => {
    const bytes = Buffer.concat(unsent);
    unsent = [];
    for (let at = 0; at < bytes.length; at += piece_bytes)
      await server.write(bytes.subarray(at, at + piece_bytes));
  };
  for (const [index, { bytes }] of lines.entries()) {
    const { waits = 1, at = 0, crlf = 1, piece_bytes = 16 } = chances[index] ?? {};
    const previous = lines[index - 1]?.expected;
    // The smallest pieces only for short lines: the test must come to an end.
    const size = Math.max(2 ** piece_bytes, Math.ceil(bytes.length / 2_000));
    if (waits === 0 && previous && "id" in previous) {
      const cut = cutIn(bytes, at);
      unsent.push(bytes.subarray(0, cut));
      await send(size);
      await server.answered(previous.id);
      unsent.push(bytes.subarray(cut));
    } else {
      unsent.push(bytes);
    }
    unsent.push(Buffer.from(crlf === 0 ? "\r\n" : "\n"));
    if (waits < 10) await send(size);
  }
  await send(65_536);
}

/** Where to cut a line: inside of a character if it has one of several bytes. */
function cutIn(bytes: Buffer, share: number): number {
  const inside = bytes.findIndex((byte) => byte >= 0x80 && byte < 0xc0);
  return inside === -1 ? Math.floor(bytes.length * share) : inside;
}

/** The client goes away, in one of the ways in which clients do; the server must end well by itself. */
async function goAway(server: AgentServer, number: number): Promise<void> {
  const call = (index: number) => lastCall(index).bytes;
  const { process: child } = server;
  switch (number % 4) {
    case 0:
      child.stdin.end();
      break;
    case 1:
      child.stdin.end(call(0).subarray(0, 60 + (number % 40)));
      break;
    case 2:
      // Nobody reads any more while calls are still coming.
      for (let index = 0; index < LAST_CALLS; index++) {
        await server.write(Buffer.concat([call(index), Buffer.from("\n")]));
        if (index === number % LAST_CALLS) child.stdout.destroy();
      }
      break;
    default:
      await server.write(
        Buffer.concat(
          Array.from({ length: LAST_CALLS }, (_, index) => [call(index), Buffer.from("\n")]).flat(),
        ),
      );
      await server.answered(`last ${number % LAST_CALLS}`);
      child.kill("SIGTERM");
  }
  expect(await server.closed, "exit code").toBe(0);
}

function lastCall(index: number): Line {
  const id = `last ${index}`;
  const call = { name: "learned", args: { text: `Last call ${index}.`, kind: "discovery" } };
  const request = {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: call.name, arguments: call.args },
  };
  return { bytes: Buffer.from(JSON.stringify(request)), expected: { answer: "recorded", id, call } };
}

/** Of the last calls, the log has the first so many, and those that were answered are among them. */
function checkLast(server: AgentServer, events: readonly Event[]): void {
  expect(events.map(({ payload }) => "text" in payload && payload.text)).toEqual(
    events.map((_, index) => `Last call ${index}.`),
  );
  const answered = server.answers.filter(({ id }) => typeof id === "string" && id.startsWith("last "));
  const positions = answered.map(({ result }) => result?.structuredContent?.position);
  expect(positions).toEqual(events.slice(0, positions.length).map(({ position }) => position));
}
