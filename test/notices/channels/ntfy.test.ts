import { expect, test } from "vitest";
import { z } from "zod";
import { openChannel } from "../../../adapters/notices/index.ts";
import type { NoticeAct } from "../../../src/outside/notices/channel.ts";
import { givenServer, message, never, type Received } from "./given.ts";

/** What ntfy documents of a publication as JSON; it takes at most three actions. */
const publication = z.strictObject({
  topic: z.literal("top-secret"),
  title: z.string(),
  message: z.string().refine((text) => Buffer.byteLength(text) <= 4_096),
  sequence_id: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string()),
  click: z.url().optional(),
  actions: z
    .array(
      z.strictObject({
        action: z.literal("http"),
        label: z.string(),
        url: z.url(),
        method: z.literal("POST"),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
        clear: z.literal(true),
      }),
    )
    .max(3),
});

const ENVIRONMENT = { TOPIC: "top-secret", TOKEN: "tk_abc" };

const openNtfy = (url: string, token?: { env: string }) =>
  openChannel(
    "phone",
    { kind: "ntfy", url, topic: { env: "TOPIC" }, private: true, ...(token && { token }) },
    ENVIRONMENT,
  );

async function published(sent: ReturnType<typeof message>, token?: { env: string }) {
  const { url, received } = await givenServer();
  await (await openNtfy(url, token)).send(sent, never());
  const [only]: readonly (Received | undefined)[] = received;
  expect(Buffer.byteLength(only?.body ?? "")).toBeLessThanOrEqual(8_192);
  return { headers: only?.headers, path: only?.path, body: publication.parse(JSON.parse(only?.body ?? "")) };
}

function act(label: string, text?: string, needsText = false): NoticeAct {
  const body = {
    token: "once-1",
    act: text === undefined ? label : "answer",
    ...(text !== undefined && { text }),
  };
  return { label, needsText, answer: { url: "https://box.example/notices/answer", body } };
}

test("a notice is published as JSON with its link, its id and a button for each option", async () => {
  const acts = [act("euro", "euro"), act("dollar", "dollar"), act("answer", undefined, true), act("dismiss")];
  const { headers, path, body } = await published(message({ acts }), { env: "TOKEN" });
  expect(path).toBe("/");
  expect(headers).toMatchObject({ authorization: "Bearer tk_abc", "content-type": "application/json" });
  expect(body).toMatchObject({
    title: "[shop] A question blocks a task (task 12)",
    sequence_id: "0194-a",
    priority: 4,
    tags: ["question"],
    click: "https://box.example/inbox/7",
  });
  expect(body.message).toContain("\n> Which currency?\n");
  expect(body.actions.map(({ label, body }) => [label, JSON.parse(body)])).toEqual([
    ["Answer: euro", { token: "once-1", act: "answer", text: "euro" }],
    ["Answer: dollar", { token: "once-1", act: "answer", text: "dollar" }],
    ["dismiss", { token: "once-1", act: "dismiss" }],
  ]);
});

test("a digest has no buttons, and an open topic no Authorization", async () => {
  const { headers, body } = await published(
    message({ acts: [act("dismiss")] }, { kind: "loop", link: null }),
  );
  expect(body.actions).toEqual([]);
  expect(body.title).toBe("[shop] 2 notices");
  expect(headers).not.toHaveProperty("authorization");
});

test.each([
  ["long", "x".repeat(50_000)],
  ["of wide characters", "漢".repeat(50_000)],
  ["of what JSON escapes", '\\"'.repeat(30_000)],
])("a text %s stays within what ntfy takes as a message", async (_, text) => {
  const acts = Array.from({ length: 9 }, () => act(text.slice(0, 500), text.slice(0, 500)));
  const { body } = await published(message({ text, detail: text, acts }));
  expect(body.message).toContain("\nCut here: the rest is on the page.\n");
  expect(body.message.endsWith("Open it: https://box.example/inbox/7")).toBe(true);
});

test("what the server says of a refusal is told without the topic and the token", async () => {
  const { url } = await givenServer((_, response) =>
    response.writeHead(403).end('{"error":"tk_abc may not write to top-secret"}'),
  );
  const attempt = (await openNtfy(url, { env: "TOKEN" })).send(message(), never());
  await expect(attempt).rejects.toMatchObject({
    isFinal: true,
    message: expect.stringMatching(/answered 403: \{"error":"\[masked\] may not write to \[masked\]"\}\.$/),
  });
});
