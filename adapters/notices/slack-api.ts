import { z } from "zod";
import { ChannelError, parsedJson } from "./core.ts";
import { post } from "./post.ts";
import { plainLine } from "./text.ts";

/** Where Slack is. */
export interface SlackPlace {
  /** Without a slash at its end. */
  readonly api: string;
  /** True for a stand-in of tests. */
  readonly isPrivate: boolean;
}

export const SLACK: SlackPlace = { api: "https://slack.com/api", isPrivate: false };

/**
 * Calls a method of Slack's Web API.
 *
 * @param secrets never to appear in an error, besides the token
 * @throws ChannelError: also for an answer with `"ok": false`, which is final unless Slack itself has the trouble
 */
export async function callSlack(
  method: string,
  { token, body, secrets = [] }: { token: string; body: object; secrets?: readonly string[] },
  { api, isPrivate }: SlackPlace,
  signal: AbortSignal,
): Promise<SlackAnswer> {
  const headers = {
    "content-type": "application/json; charset=utf-8",
    authorization: `Bearer ${token}`,
  };
  const sent = { url: `${api}/${method}`, headers, body: JSON.stringify(body), isPrivate };
  const parsed = slackAnswer.safeParse(
    parsedJson(await post({ ...sent, secrets: [token, ...secrets] }, signal)),
  );
  if (!parsed.success) throw new ChannelError(`Slack's answer to ${method} is not as documented.`);
  const { ok, error = "unknown_error" } = parsed.data;
  if (ok) return parsed.data;
  const fault = plainLine(error).slice(0, 100);
  const help = HELP.get(fault);
  throw new ChannelError(`Slack refused ${method}: ${fault}.${help === undefined ? "" : ` ${help}`}`, {
    isFinal: !OF_SLACK.has(fault),
  });
}

const slackAnswer = z.object({ ok: z.boolean(), error: z.string().optional(), url: z.string().optional() });
type SlackAnswer = z.infer<typeof slackAnswer>;

/** Errors after which the same call may succeed. */
const OF_SLACK: ReadonlySet<string> = new Set([
  ...[
    "internal_error",
    "fatal_error",
    "service_unavailable",
    "request_timeout",
    "ratelimited",
    "rate_limited",
  ],
  ...["team_added_to_org", "unknown_error"],
]);

const HELP: ReadonlyMap<string, string> = new Map([
  ["channel_not_found", 'Set "channel" to the channel\'s ID, such as C012AB3CD, and invite the app to it.'],
  ["not_in_channel", "Invite the app to the channel."],
  ["is_archived", "Choose another channel."],
  ["missing_scope", "Give the app chat:write (bot_token) or connections:write (app_token)."],
  ["not_allowed_token_type", "app_token begins with xapp-, bot_token with xoxb-."],
  ...["invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive"].map(
    (fault) => [fault, "Check the token; make a new one in the app's settings if need be."] as const,
  ),
]);
