import { z } from "zod";
import { line, name } from "../events/types/fields.ts";
import { itemKinds } from "../projections/board/inbox-tables.ts";
import { secretSource } from "./secret-source.ts";

/** What notices are of: the kinds of items that wait for a human, and a loop that ended. */
export const noticeKinds = [...itemKinds, "loop"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const httpUrl = z.url({ protocol: /^https?$/ }).refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), {
  error: "contains a user name or a password; name the secret in its own field",
});
const isPrivate = z
  .boolean()
  .default(false)
  .describe("Allows an address inside: loopback, a private network, a link-local address.");

const channel = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("webhook").describe("A POST signed as Standard Webhooks has it."),
    url: httpUrl.describe("Where it is sent."),
    secret: secretSource.describe("The signing secret, whsec_ and base64."),
    private: isPrivate,
  }),
  z.strictObject({
    kind: z.literal("slack").describe("A Slack workspace."),
    webhook: secretSource.optional().describe("The incoming webhook's URL, which is a secret."),
    app_token: secretSource.optional().describe("The app's token, xapp-, for answers by socket mode."),
    bot_token: secretSource.optional().describe("The bot's token, xoxb-, to post with buttons."),
    channel: line.optional().describe("The channel's ID to post to with bot_token, such as C012AB3CD."),
  }),
  z.strictObject({
    kind: z.literal("ntfy").describe("A topic of ntfy."),
    url: httpUrl.default("https://ntfy.sh").describe("The server."),
    topic: secretSource.describe("The topic; whoever knows it can read it."),
    token: secretSource.optional().describe("An access token, tk_."),
    private: isPrivate,
  }),
  z.strictObject({
    kind: z.literal("email").describe("An e-mail."),
    host: line.describe("The mail server."),
    port: z.int().min(1).max(65_535).default(465).describe("Its port."),
    tls: z
      .enum(["implicit", "starttls", "none"])
      .default("implicit")
      .describe(
        "implicit: TLS from the beginning; starttls: required after it; none: for a server on this machine.",
      ),
    user: line.optional().describe("The user name there."),
    password: secretSource.optional().describe("The password there."),
    from: line.describe("The sender's address."),
    to: z.array(line).min(1).max(20).describe("The recipients' addresses."),
  }),
  z.strictObject({
    kind: z.literal("desktop").describe("A notification on this machine, by notify-send or osascript."),
  }),
]);
export type ChannelSettings = z.infer<typeof channel>;
export type ChannelSettingsOf<Kind extends ChannelSettings["kind"]> = Extract<
  ChannelSettings,
  { kind: Kind }
>;

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day, as in "22:30"' });
const zone = z.string().max(100).refine(isTimeZone, {
  error: 'must be a time zone, as in "Europe/Berlin"',
});

const rule = z.strictObject({
  kinds: z.array(z.enum(noticeKinds)).min(1).optional().describe("Which notices. Default: all."),
  channels: z.array(name).min(1).describe("Where they are told, by names in notices.channels."),
  after_s: z
    .int()
    .min(0)
    .max(30 * 24 * 3_600)
    .default(0)
    .describe("Only what still waits after so many seconds."),
  quiet: z
    .strictObject({ from: clock, to: clock, zone: zone.default("UTC") })
    .optional()
    .describe("Hours in which nothing is told; it is told after them, if it still waits."),
  digest_s: z
    .int()
    .min(0)
    .max(24 * 3_600)
    .default(0)
    .describe("At most one message in so many seconds, with all that came meanwhile. 0: each by itself."),
});
export type NoticeRule = z.infer<typeof rule>;

/** The part `notices` of a configuration (docs/notices.md). */
export const noticeSettings = z.strictObject({
  url: httpUrl
    .optional()
    .describe("The panel's address as people reach it, for links and answers, such as https://box.example."),
  channels: z.record(name, channel).default({}).describe("Channels by name."),
  rules: z
    .array(rule)
    .max(100)
    .optional()
    .describe("What is told where. Default: everything, at once, on every channel."),
});
export type NoticeSettings = z.infer<typeof noticeSettings>;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
