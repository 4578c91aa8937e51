import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { BodyRoom } from "../../../src/mcp/http/body.ts";
import { type GivenHttp, givenHttp } from "./given.ts";

/* Catches: many large bodies at once that take the server's memory, and room that is never given back. */

const MIB = 1024 * 1024;

/** Begins a request with so many bytes of a body, and does not end it. @returns an early answer */
function begin({ url, tokens }: GivenHttp, session: number, bytes: number) {
  const headers = {
    authorization: `Bearer ${tokens[session - 1]}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const sent: ClientRequest = request(url, { method: "POST", headers });
  onTestFinished(() => void sent.destroy());
  sent.on("error", () => {});
  const answer = new Promise<IncomingMessage>((resolve) => sent.once("response", resolve));
  sent.write(Buffer.alloc(bytes, " "));
  return { sent, answer, status: answer.then(({ statusCode }) => statusCode) };
}

test("bodies that a session holds at once have room of 16 MiB, which those that leave give back", async () => {
  const http = await givenHttp({ title: "Export" }, { title: "Import" });
  const held = [begin(http, 1, 7 * MIB), begin(http, 1, 7 * MIB)];
  // Which of the three is too much is no matter.
  const third = begin(http, 1, 7 * MIB);
  const refused = await Promise.race([...held, third].map(({ answer }) => answer));
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
  expect(await text(refused)).toContain("too many large requests");
  const other = begin(http, 2, 7 * MIB);
  other.sent.end("{}");
  expect(await other.status, "another session has its own room").not.toBe(429);
  for (const { sent } of [...held, third]) sent.destroy();
  await expect
    .poll(async () => {
      const next = [begin(http, 1, 7 * MIB), begin(http, 1, 7 * MIB)];
      for (const { sent } of next) sent.end("{}");
      return Promise.all(next.map(({ status }) => status));
    })
    .not.toContain(429);
});

test("all sessions share a room, and what is refused takes none", () => {
  const all = new BodyRoom(10);
  const [one, other] = [new BodyRoom(8, all), new BodyRoom(8, all)];
  expect([one.take(6), other.take(6), other.take(4), one.take(1)]).toEqual([true, false, true, false]);
  one.give(6);
  expect([other.take(5), other.take(4), one.take(2)]).toEqual([false, true, true]);
});
