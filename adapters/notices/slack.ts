import { type Channel, ConfigError } from "./core.ts";
import { post } from "./post.ts";
import { callSlack, SLACK, type SlackPlace } from "./slack-api.ts";
import { slackMessage } from "./slack-blocks.ts";
import { listenToSlack } from "./slack-socket.ts";
import { tokensOf } from "./tokens.ts";

export interface SlackSecrets {
  readonly webhook: string | undefined;
  readonly botToken: string | undefined;
  readonly appToken: string | undefined;
}

/**
 * Posts each message to a channel of Slack: as an app's bot, or by an incoming webhook. With an app token it has buttons, whose clicks come
 * back over a socket (Socket Mode).
 *
 * @param room the channel's ID there
 * @param place of the channel in the configuration, for errors
 * @throws ConfigError: there is neither a webhook nor a bot, or the webhook is no URL
 */
export function slackChannel(
  { webhook, botToken, appToken }: SlackSecrets,
  room: string | undefined,
  place: string,
  slack: SlackPlace = SLACK,
): Channel {
  const send =
    botToken !== undefined && room !== undefined
      ? byBot(botToken, room, appToken !== undefined, slack)
      : byWebhook(webhookIn(webhook, place, slack), appToken !== undefined, slack);
  if (appToken === undefined) return { send };
  return { send, listen: (handle, report) => listenToSlack(appToken, slack, handle, report) };
}

function byBot(token: string, channel: string, hasButtons: boolean, slack: SlackPlace): Channel["send"] {
  return async (message, signal) => {
    const body = {
      channel,
      ...slackMessage(message, hasButtons),
      // By it a message that was sent twice is recognised.
      metadata: { event_type: "signalbox_notice", event_payload: { id: message.id } },
    };
    await callSlack("chat.postMessage", { token, body, secrets: tokensOf(message) }, slack, signal);
  };
}

function byWebhook(url: string, hasButtons: boolean, { isPrivate }: SlackPlace): Channel["send"] {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return async (message, signal) => {
    const body = JSON.stringify(slackMessage(message, hasButtons));
    const secrets = [url, new URL(url).pathname, ...tokensOf(message)];
    await post({ url, headers, body, isPrivate, secrets }, signal);
  };
}

function webhookIn(webhook: string | undefined, place: string, { isPrivate }: SlackPlace): string {
  if (webhook === undefined) {
    throw new ConfigError(`${place} needs "webhook", or "bot_token" and "channel".`);
  }
  if (/^https:\/\/[^/@]+\/\S+$/.test(webhook) || (isPrivate && URL.canParse(webhook))) return webhook;
  throw new ConfigError(
    `${place}.webhook is not the URL of an incoming webhook, which begins with https://hooks.slack.com/services/.`,
  );
}
