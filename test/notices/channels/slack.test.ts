import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { openChannel } from "../../../adapters/notices/index.ts";
import { type SlackSecrets, slackChannel } from "../../../adapters/notices/slack.ts";
import { slackMessage } from "../../../adapters/notices/slack-blocks.ts";
import { listenToSlack } from "../../../adapters/notices/slack-socket.ts";
import type { ChannelAct, Message, NoticeAct } from "../../../src/outside/notices/channel.ts";
import { listen, message, never } from "./given.ts";

/** Where the tests take Slack to be. What it answers follows its documentation; the real one cannot be reached from here. */
async function givenSlack(answers: Record<string, object> = {}) {
  const calls: { readonly path: string; readonly token: string | undefined; readonly body: unknown }[] = [];
  const sockets: WebSocket[] = [];
  const frames: string[] = [];
  let place = "";
  const server = createServer(async (request, response) => {
    const { url: path = "", headers } = request;
    calls.push({ path, token: headers.authorization, body: JSON.parse(await text(request)) });
    const opened = { ok: true, url: `${place.replace("http", "ws")}/link/?ticket=t-1` };
    const usual = path === "/api/apps.connections.open" ? opened : { ok: true };
    response.end(JSON.stringify(answers[path] ?? usual));
  });
  new WebSocketServer({ server }).on("connection", (socket) => {
    sockets.push(socket);
    socket.on("message", (data) => frames.push(data.toString()));
    socket.send(JSON.stringify({ type: "hello", num_connections: 1, connection_info: { app_id: "A1" } }));
  });
  place = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
  });
  return { calls, sockets, frames, url: place, at: { api: `${place}/api`, isPrivate: true } };
}

type Slack = Awaited<ReturnType<typeof givenSlack>>;

const open = (secrets: Partial<SlackSecrets>, slack: Slack) =>
  slackChannel(
    { webhook: undefined, botToken: undefined, appToken: undefined, ...secrets },
    secrets.botToken && "C012AB3CD",
    "notices.channels.team",
    slack.at,
  );

function act(label: string, text?: string, needsText = false): NoticeAct {
  const body = {
    token: "once-1",
    act: text === undefined ? label : "answer",
    ...(text !== undefined && { text }),
  };
  return { label, needsText, answer: { url: "https://box.example/notices/answer", body } };
}

const acts = [act("euro", "euro"), act("answer", undefined, true), act("dismiss")];

/** What is sent when somebody clicks a button. */
function click(slack: Slack, value: string) {
  return {
    type: "interactive",
    envelope_id: "e-1",
    accepts_response_payload: false,
    payload: {
      type: "block_actions",
      user: { id: "U02ANN", username: "ann", team_id: "T1" },
      container: { type: "message" },
      actions: [{ type: "button", action_id: "act-0-0", block_id: "b", value }],
      response_url: `${slack.url}/actions/T1/2/secret`,
    },
  };
}

/** Listens until the test ends. */
function listening(slack: Slack, handle: (act: ChannelAct) => Promise<string> = async () => "Recorded.") {
  const problems: string[] = [];
  const { close } = listenToSlack("xapp-1", slack.at, handle, (problem) => problems.push(problem), {
    wait_ms: () => 0,
  });
  onTestFinished(close);
  return { problems, close };
}

const connected = (slack: Slack, count = 1) =>
  vi.waitFor(() => slack.sockets[count - 1] ?? expect.unreachable("nobody connected"));

test("a bot posts a notice with a button for each act without text", async () => {
  const slack = await givenSlack();
  await open({ botToken: "xoxb-1", appToken: "xapp-1" }, slack).send(message({ acts }), never());
  expect(slack.calls).toMatchObject([
    {
      path: "/api/chat.postMessage",
      token: "Bearer xoxb-1",
      body: {
        channel: "C012AB3CD",
        text: "[shop] A question blocks a task (task 12)",
        metadata: { event_type: "signalbox_notice", event_payload: { id: "0194-a" } },
      },
    },
  ]);
  const { blocks } = slackMessage(message({ acts }), true);
  expect(slack.calls[0]?.body).toMatchObject({ blocks });
  expect(blocks.at(-1)).toEqual({
    type: "actions",
    elements: [
      {
        type: "button",
        action_id: "act-0-0",
        text: { type: "plain_text", text: "Answer: euro", emoji: false },
        value: '{"token":"once-1","act":"answer","text":"euro"}',
      },
      {
        type: "button",
        action_id: "act-0-1",
        text: { type: "plain_text", text: "dismiss", emoji: false },
        value: '{"token":"once-1","act":"dismiss"}',
      },
    ],
  });
});

test("an incoming webhook gets the notice with its link, and no button that nobody listens for", async () => {
  const slack = await givenSlack();
  await open({ webhook: `${slack.url}/services/T/B/secret` }, slack).send(message({ acts }), never());
  expect(slack.calls.map(({ path, token }) => [path, token])).toEqual([["/services/T/B/secret", undefined]]);
  const body = JSON.stringify(slack.calls[0]?.body);
  expect(body).toContain('{"type":"link","url":"https://box.example/inbox/7","text":"Open it"}');
  expect(body).not.toContain("once-1");
});

const leaf = (value: unknown): string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leaf) : [String(value)];

/** The texts of a message outside of quotations. */
function ours(sent: Message): string[] {
  const { blocks, text } = slackMessage(sent, true);
  const rich = blocks.filter(({ type }) => type === "rich_text").flatMap(({ elements = [] }) => elements);
  return leaf([
    text,
    blocks[0],
    rich.filter((element) => !("type" in element && element.type === QUOTATION)),
  ]);
}

const QUOTATION = "rich_text_quote";

test("whatever an agent writes stands in quotations, as plain text, and Slack takes the size", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 100 }),
    fc.constantFrom(
      "<!channel> @here <https://evil.example|Open it>",
      "a\u202e\u200bb",
      "```\n> x",
      "",
      "é".repeat(5_000),
    ),
  );
  const field = {
    title: hostile,
    text: hostile,
    detail: hostile,
    options: fc.array(hostile, { maxLength: 4 }),
  };
  fc.assert(
    fc.property(fc.array(fc.record(field), { minLength: 1, maxLength: 30 }), (written) => {
      const notices = written.map(({ title, options, ...rest }) => ({
        task: { id: 12, title },
        options,
        acts: options.map((option) => act(option, option)),
        ...rest,
      }));
      const sent = message(...notices);
      const { blocks } = slackMessage(sent, true);
      const known =
        /^(\[shop\] .*|A question blocks a task \(task 12\)|(Text|Details|Options):|Cut here: .*|Recorded at .*|Open it|https:\/\/box\.example.*|link|header|plain_text|text|rich_text_section|true|false|undefined)$/;
      expect(ours(sent).filter((text) => !known.test(text))).toEqual([]);
      const shown = JSON.stringify(blocks, (key, value) => (key === "value" ? "" : value));
      expect(shown).not.toMatch(/[\u202e\u200b]|"mrkdwn"/);
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const block of blocks) {
        if (block.type !== "actions") continue;
        // Buttons, as the first test has them.
        for (const { text, value } of block.elements as { text: { text: string }; value: string }[]) {
          expect(text.text).toMatch(/^Answer: /);
          expect(text.text.length).toBeLessThanOrEqual(75);
          expect(value.length).toBeLessThanOrEqual(2_000);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("a project's name mentions nobody in the text of a notification", () => {
  expect(slackMessage(message({ project: "<!channel> & co" }), false).text).toMatch(
    /^\[&lt;!channel&gt; &amp; co\] /,
  );
});

test("a click is acknowledged at once, done as that member's, and its result told where it was", async () => {
  const slack = await givenSlack();
  const done: ChannelAct[] = [];
  const acknowledged: number[] = [];
  listening(slack, async (asked) => {
    await vi.waitFor(() => expect(slack.frames).toHaveLength(1));
    acknowledged.push(slack.frames.length);
    done.push(asked);
    return "Recorded as <@ann>'s.";
  });
  const socket = await connected(slack);
  socket.send(JSON.stringify(click(slack, '{"token":"once-1","act":"answer","text":"euro"}')));
  await vi.waitFor(() => expect(slack.calls).toHaveLength(2));
  expect(slack.frames).toEqual(['{"envelope_id":"e-1"}']);
  expect(done).toEqual([{ account: "U02ANN", token: "once-1", act: "answer", text: "euro" }]);
  expect(slack.calls).toEqual([
    { path: "/api/apps.connections.open", token: "Bearer xapp-1", body: {} },
    {
      path: "/actions/T1/2/secret",
      token: undefined,
      body: {
        response_type: "ephemeral",
        replace_original: false,
        text: "Recorded as &lt;@ann&gt;'s.",
      },
    },
  ]);
});

test("an act that fails is told to the person without its cause, and reported with it", async () => {
  const slack = await givenSlack();
  const { problems } = listening(slack, async () => {
    throw new Error("the log is locked");
  });
  (await connected(slack)).send(JSON.stringify(click(slack, '{"token":"t","act":"dismiss"}')));
  await vi.waitFor(() => expect(slack.calls).toHaveLength(2));
  expect(slack.calls[1]?.body).toMatchObject({ text: "signalbox could not do that. Try it on the page." });
  expect(problems).toEqual(["An answer from Slack failed: the log is locked"]);
});

test("frames that are no click of ours are acknowledged, and do nothing", async () => {
  const slack = await givenSlack();
  const handle = vi.fn(async () => "no");
  listening(slack, handle);
  const socket = await connected(slack);
  const strange = ["{", "[]", '"x"', '{"type":"events_api","envelope_id":"e-2","payload":{}}'];
  for (const frame of strange) socket.send(frame);
  socket.send(JSON.stringify({ ...click(slack, "open"), envelope_id: "e-3" }));
  socket.send(JSON.stringify({ ...click(slack, '{"token":7}'), envelope_id: "e-4" }));
  await vi.waitFor(() => expect(slack.frames).toHaveLength(3));
  expect(slack.frames.map((frame) => JSON.parse(frame).envelope_id)).toEqual(["e-2", "e-3", "e-4"]);
  expect(handle).not.toHaveBeenCalled();
});

test.each([
  [
    "Slack asks for it",
    (socket: WebSocket) => socket.send('{"type":"disconnect","reason":"refresh_requested"}'),
  ],
  ["the connection breaks off", (socket: WebSocket) => socket.terminate()],
])("it connects again when %s, and no more once it is closed", async (_, end) => {
  const slack = await givenSlack();
  const { close } = listening(slack);
  end(await connected(slack));
  await connected(slack, 2);
  const opened = slack.calls.length;
  close();
  await vi.waitFor(() => expect(slack.sockets[1]?.readyState).toBe(3));
  expect(slack.calls).toHaveLength(opened);
});

test("a connection on which nothing is answered is made anew", async () => {
  const slack = await givenSlack();
  const { close } = listenToSlack(
    "xapp-1",
    slack.at,
    async () => "",
    () => {},
    { wait_ms: () => 0, ping_ms: 20 },
  );
  onTestFinished(close);
  // Reads nothing more, as a network that has gone.
  (await connected(slack)).pause();
  await connected(slack, 2);
});

test("a refused app token is reported with what to do, and tried again", async () => {
  const slack = await givenSlack({ "/api/apps.connections.open": { ok: false, error: "invalid_auth" } });
  const { problems, close } = listening(slack);
  await vi.waitFor(() => expect(slack.calls.length).toBeGreaterThan(1));
  close();
  expect(problems[0]).toBe(
    "Slack sends no answers: Slack refused apps.connections.open: invalid_auth. Check the token; make a new one in the app's settings if need be.",
  );
});

test.each([
  [{ ok: false, error: "channel_not_found" }, true, /channel_not_found\. Set "channel" to the channel's ID/],
  [{ ok: false, error: "internal_error" }, false, /internal_error\.$/],
  [{ ok: false }, false, /unknown_error/],
  [{ fine: true }, false, /is not as documented/],
])("after the answer %o a message is given up: %s", async (answer, isFinal, words) => {
  const slack = await givenSlack({ "/api/chat.postMessage": answer });
  const attempt = open({ botToken: "xoxb-1" }, slack).send(message(), never());
  await expect(attempt).rejects.toMatchObject({ isFinal, message: expect.stringMatching(words) });
});

test("settings without a way to post are refused with what is missing", async () => {
  await expect(openChannel("team", { kind: "slack" }, {})).rejects.toThrow(
    'notices.channels.team needs "webhook", or "bot_token" and "channel".',
  );
  await expect(
    openChannel("team", { kind: "slack", webhook: { env: "HOOK" } }, { HOOK: "http://a.example/x" }),
  ).rejects.toThrow("notices.channels.team.webhook is not the URL of an incoming webhook");
});
