import { expect, test } from "vitest";
import { isPublic } from "../../../adapters/notices/addresses.ts";
import { type Post, post } from "../../../adapters/notices/post.ts";
import type { ChannelError } from "../../../src/outside/notices/channel.ts";
import { givenServer, never } from "./given.ts";

const sent = (url: string, more: Partial<Post> = {}, surroundings?: Parameters<typeof post>[2]) =>
  post({ url, headers: {}, body: "{}", isPrivate: true, ...more }, never(), surroundings);

const refused = (attempt: Promise<unknown>): Promise<ChannelError> =>
  attempt.then(
    () => expect.unreachable("it was taken"),
    (error) => error,
  );

test.each([
  ["127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ["169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "224.0.0.1", "255.255.255.255"],
  [
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
  ],
  [
    "fd00:ec2::254",
    "ff02::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "::8.8.8.8",
  ],
])("addresses inside are known: %s, %s, …", (...addresses) => {
  expect(addresses.filter(isPublic)).toEqual([]);
});

test("addresses of the internet are known", () => {
  const addresses = [
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "64:ff9b::808:808",
  ];
  expect(addresses.filter((address) => !isPublic(address))).toEqual([]);
});

test.each(["127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:7f00:1]", "localhost"])(
  "nothing is sent inside without leave: %s",
  async (host) => {
    const { port, received } = await givenServer();
    const error = await refused(sent(`http://${host}:${port}/`, { isPrivate: false }));
    expect(error).toMatchObject({ name: "ChannelError", isFinal: true });
    expect(error.message).toMatch(/inside this machine or network\. Set "private": true/);
    expect(received).toEqual([]);
  },
);

test("a name that changes its address after the check is connected to at the checked one", async () => {
  const { port, received } = await givenServer();
  const answers = [[{ address: "127.0.0.1", family: 4 }], [{ address: "169.254.169.254", family: 4 }]];
  const resolve = async () => answers.shift() ?? [];
  await sent(`http://rebind.example:${port}/`, {}, { resolve });
  expect(received).toHaveLength(1);
  expect(answers).toHaveLength(1);
  const second = await refused(sent(`http://rebind.example:${port}/`, { isPrivate: false }, { resolve }));
  expect(second.message).toMatch(/^rebind\.example is at 169\.254\.169\.254, which is inside/);
  expect(second.isFinal).toBe(true);
});

test("one address inside among several is refused", async () => {
  const resolve = async () => ["8.8.8.8", "10.0.0.1"].map((address) => ({ address, family: 4 }));
  const error = await refused(sent("http://two.example/", { isPrivate: false }, { resolve }));
  expect(error.message).toContain("10.0.0.1");
});

test.each([
  [301, "https://elsewhere.example/secret?token=1", "elsewhere.example"],
  [307, "http://user:pass@169.254.169.254/latest", "169.254.169.254"],
  [302, "/other", "another path there"],
])("a redirect is final and followed nowhere: %i to %s", async (status, location, told) => {
  const { url, received } = await givenServer((_, response) =>
    response.writeHead(status, { location }).end(),
  );
  const error = await refused(sent(`${url}/secret-path`));
  expect(error.isFinal).toBe(true);
  expect(error.message).toContain(`answered ${status} and points to ${told}. signalbox follows no redirect`);
  expect(error.message).not.toMatch(/secret|pass/);
  expect(received).toHaveLength(1);
});

test.each([
  [400, true],
  [401, true],
  [404, true],
  [410, true],
  [408, false],
  [425, false],
  [429, false],
  [500, false],
  [503, false],
])("after status %i it is final: %s", async (status, isFinal) => {
  const { url } = await givenServer((_, response) =>
    response.writeHead(status).end("no\u202e\nroom, my-secret"),
  );
  const error = await refused(sent(url, { secrets: ["my-secret"] }));
  expect(error.isFinal).toBe(isFinal);
  expect(error.message).toMatch(
    new RegExp(`^127\\.0\\.0\\.1:\\d+ answered ${status}: no\\\\u\\{202e\\} room, \\[masked\\]\\.$`),
  );
});

test.each([
  ["120", 120],
  ["9999999", 86_400],
  [new Date(Date.now() + 60_500).toUTCString(), 60],
  ["Wed, 01 Jan 2020 00:00:00 GMT", 0],
  ["soon", undefined],
])("Retry-After %s is honoured as %s seconds", async (header, seconds) => {
  const { url } = await givenServer((_, response) =>
    response.writeHead(503, { "retry-after": header }).end(),
  );
  const { retryAfter_s } = await refused(sent(url));
  if (seconds === 60) expect(Math.abs((retryAfter_s ?? 0) - 60)).toBeLessThanOrEqual(2);
  else expect(retryAfter_s).toBe(seconds);
});

test.each([
  [61, "Its clock is 61 minutes ahead of this machine's"],
  [-61, "Its clock is 61 minutes behind this machine's"],
])("a refusal says that the clocks differ by %i minutes", async (minutes, words) => {
  const date = new Date(Date.now() + minutes * 60_000).toUTCString();
  const { url } = await givenServer((_, response) => {
    response.sendDate = false;
    response.writeHead(401, { date }).end();
  });
  expect((await refused(sent(url))).message).toContain(words);
});

test("a server that never answers is given up on, and tried again later", async () => {
  const { url } = await givenServer(() => {});
  const error = await refused(sent(url, {}, { limit_ms: 50 }));
  expect(error.isFinal).toBe(false);
  expect(error.message).toMatch(/did not answer within 0\.05 seconds\.$/);
});

test("a server that is not there is tried again later, without a word of its path", async () => {
  const error = await refused(sent("http://127.0.0.1:1/secret"));
  expect(error).toMatchObject({ isFinal: false, message: "127.0.0.1:1 cannot be reached: ECONNREFUSED." });
});

test("an aborted message ends at once", async () => {
  const { url } = await givenServer(() => {});
  const stop = new AbortController();
  const attempt = post({ url, headers: {}, body: "{}", isPrivate: true }, stop.signal);
  stop.abort();
  expect((await refused(attempt)).message).toMatch(/was stopped\.$/);
});

test("of an answer without end only the beginning is read", async () => {
  const { url } = await givenServer((_, response) => {
    const more = () => {
      while (response.write("x".repeat(1_024)));
    };
    response.on("drain", more);
    more();
  });
  expect((await sent(url)).length).toBe(64 * 1_024);
});
