import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { openChannel } from "../../../adapters/notices/index.ts";
import { givenServer, message, never, type Received } from "./given.ts";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [SECRET, OTHER] = [secretOf(7), secretOf(8)];

const act = {
  label: "euro",
  needsText: false,
  answer: { url: "https://box.example/answer", body: { token: "once-1", act: "answer", text: "euro" } },
};

async function delivered(): Promise<Received> {
  const { url, received } = await givenServer();
  const channel = await openWebhook(url);
  await channel.send(message({ acts: [act] }), never());
  return received[0] ?? expect.unreachable("nothing came");
}

const openWebhook = (url: string, secret = SECRET, isPrivate = true) =>
  openChannel(
    "hook",
    { kind: "webhook", url, secret: { env: "HOOK" }, private: isPrivate },
    { HOOK: secret },
  );

const verify = ({ headers, body }: Received, secret = SECRET) =>
  // These headers are there once.
  new Webhook(secret).verify(body, headers as Record<string, string>);

test("the reference verifier accepts a message, with its acts", async () => {
  const taken = await delivered();
  expect(taken.headers).toMatchObject({ "webhook-id": "0194-a", "content-type": "application/json" });
  expect(verify(taken)).toEqual({
    type: "notices",
    timestamp: "2026-11-26T03:00:00.000Z",
    data: JSON.parse(JSON.stringify({ notices: message({ acts: [act] }).notices })),
  });
});

test("the reference verifier refuses a replay, a changed body, another id and another secret", async () => {
  const taken = await delivered();
  const old = `${Number(taken.headers["webhook-timestamp"]) - 301}`;
  const changed = (headers: Record<string, string>) => ({
    ...taken,
    headers: { ...taken.headers, ...headers },
  });
  expect(() => verify(changed({ "webhook-timestamp": old }))).toThrow("too old");
  expect(() => verify({ ...taken, body: taken.body.replace("euro", "yen") })).toThrow(
    "No matching signature",
  );
  expect(() => verify(changed({ "webhook-id": "0194-b" }))).toThrow("No matching signature");
  expect(() => verify(taken, OTHER)).toThrow("No matching signature");
});

test("an old signature with a new timestamp is refused", async () => {
  const taken = await delivered();
  const later = `${Number(taken.headers["webhook-timestamp"]) + 1}`;
  expect(() => verify({ ...taken, headers: { ...taken.headers, "webhook-timestamp": later } })).toThrow(
    "No matching signature",
  );
});

test("a token that a server repeats in its refusal is told nowhere", async () => {
  const { url } = await givenServer((_, response) => response.writeHead(400).end(`once-1 and ${SECRET}`));
  const channel = await openWebhook(url);
  const attempt = channel.send(message({ acts: [act] }), never());
  await expect(attempt).rejects.toThrow(/answered 400: \[masked\] and \[masked\]\.$/);
});

test("an address inside is refused unless the channel allows it", async () => {
  const { url, received } = await givenServer();
  const channel = await openWebhook(url, SECRET, false);
  await expect(channel.send(message(), never())).rejects.toThrow('Set "private": true');
  expect(received).toEqual([]);
});

test.each(["", "secret", "whsec_", "whsec_c2hvcnQ=", `whsec_${"A".repeat(200)}`])(
  "a secret that is none is refused with how to make one: %s",
  async (secret) => {
    const wrong =
      secret === "" ? /HOOK, which is not set/ : /^notices\.channels\.hook\.secret must be whsec_ .*openssl/;
    await expect(openWebhook("https://a.example", secret)).rejects.toThrow(wrong);
  },
);
