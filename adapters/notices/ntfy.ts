import { type Channel, type ChannelSettingsOf, type Message, type NoticeAct, shorten } from "./core.ts";
import { post } from "./post.ts";
import { plainLine, textOf, titleOf } from "./text.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Publishes each message as JSON to a topic of ntfy. Its `sequence_id` is the message's id: from ntfy 2.16 on a message that is sent twice
 * replaces the first one on the phone; older servers ignore the field.
 */
export function ntfyChannel(
  { url, private: isPrivate }: Pick<ChannelSettingsOf<"ntfy">, "url" | "private">,
  topic: string,
  token: string | undefined,
): Channel {
  return {
    async send(message, signal) {
      const headers = {
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const secrets = [topic, ...(token === undefined ? [] : [token]), ...tokensOf(message)];
      await post({ url, headers, body: bodyOf(message, topic), isPrivate, secrets }, signal);
    },
  };
}

/** The server takes twice its limit for a message as JSON (4,096 bytes); a longer message would become an attachment. */
function bodyOf(message: Message, topic: string): string {
  const rest = publication(message, topic);
  for (let limit_bytes = MESSAGE_LIMIT_BYTES; ; limit_bytes /= 2) {
    const body = JSON.stringify({ ...rest, message: textOf(message, limit_bytes) });
    if (Buffer.byteLength(body) <= 2 * MESSAGE_LIMIT_BYTES || limit_bytes <= 256) return body;
  }
}

const MESSAGE_LIMIT_BYTES = 4_096;

function publication(message: Message, topic: string) {
  const { id, notices } = message;
  // Of several notices nobody could tell which one a button is for.
  const [only, other] = notices;
  const acts = only && !other ? only.acts.filter(({ needsText }) => !needsText) : [];
  const link = only && !other ? only.link : (notices.find((notice) => notice.link !== null)?.link ?? null);
  return {
    topic,
    title: titleOf(message),
    sequence_id: id.replace(/[^\w-]/g, "_").slice(0, 64),
    priority: notices.some(({ kind }) => kind !== "loop") ? HIGH : NORMAL,
    tags: [...new Set(notices.map(({ kind }) => kind))].slice(0, 5),
    ...(link !== null && { click: link }),
    // The message must stay within the server's limit: what is too long for a button is answered in the panel.
    actions: acts
      .map(actionOf)
      .filter((action) => Buffer.byteLength(JSON.stringify(action)) <= ACTION_BYTES)
      .slice(0, ACTION_LIMIT),
  };
}

const NORMAL = 3;
const HIGH = 4;
const ACTION_LIMIT = 3;
const ACTION_BYTES = 1_200;

/** An option is an agent's words: it stands behind a word of ours. */
function actionOf({ label, answer: { url, body } }: NoticeAct) {
  return {
    action: "http",
    label: body.text === undefined ? label : `Answer: ${shorten(plainLine(label), 40)}`,
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    clear: true,
  };
}
