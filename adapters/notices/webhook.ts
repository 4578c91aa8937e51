import { createHmac } from "node:crypto";
import { type Channel, type ChannelSettingsOf, ConfigError, type Message } from "./core.ts";
import { post } from "./post.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Sends each message as a POST signed as Standard Webhooks 1.0 has it. A body is the same each time, and so is `webhook-id`; the
 * timestamp is that of the attempt.
 *
 * @param secret `whsec_` and base64
 * @param field the secret's place in the configuration, for the error
 * @throws ConfigError: the secret is not in that form
 */
export function webhookChannel(
  { url, private: isPrivate }: Pick<ChannelSettingsOf<"webhook">, "url" | "private">,
  secret: string,
  field: string,
): Channel {
  const key = keyIn(secret, field);
  return {
    async send(message, signal) {
      const body = bodyOf(message);
      const headers = signedHeaders(key, message.id, Math.floor(Date.now() / 1_000), body);
      await post({ url, headers, body, isPrivate, secrets: [secret, ...tokensOf(message)] }, signal);
    },
  };
}

function keyIn(secret: string, field: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const key = Buffer.from(encoded ?? "", "base64");
  if (key.length >= 24 && key.length <= 64) return key;
  throw new ConfigError(
    `${field} must be whsec_ and 24 to 64 bytes in base64. Make one with: echo "whsec_$(openssl rand -base64 32)"`,
  );
}

function bodyOf({ notices }: Message): string {
  return JSON.stringify({ type: "notices", timestamp: notices.at(-1)?.at, data: { notices } });
}

function signedHeaders(key: Buffer, id: string, time_s: number, body: string): Record<string, string> {
  const signature = createHmac("sha256", key).update(`${id}.${time_s}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": `${time_s}`,
    "webhook-signature": `v1,${signature}`,
  };
}
