import { type Channel, type ChannelSettings, type SecretSource, secretOf } from "./core.ts";

/** `OpenChannel` of the core. Each kind is loaded where there is one. */
export async function openChannel(
  name: string,
  settings: ChannelSettings,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Channel> {
  const place = `notices.channels.${name}`;
  const secret = (source: SecretSource, field: string) => secretOf(source, `${place}.${field}`, environment);
  const optional = (source: SecretSource | undefined, field: string) => source && secret(source, field);
  switch (settings.kind) {
    case "webhook": {
      const { webhookChannel } = await import("./webhook.ts");
      return webhookChannel(settings, secret(settings.secret, "secret"), `${place}.secret`);
    }
    case "ntfy": {
      const { ntfyChannel } = await import("./ntfy.ts");
      return ntfyChannel(settings, secret(settings.topic, "topic"), optional(settings.token, "token"));
    }
    case "email": {
      const { emailChannel } = await import("./email.ts");
      return emailChannel(settings, optional(settings.password, "password"), place);
    }
    case "desktop": {
      const { desktopChannel } = await import("./desktop.ts");
      return desktopChannel(environment);
    }
    case "slack": {
      const { slackChannel } = await import("./slack.ts");
      const secrets = {
        webhook: optional(settings.webhook, "webhook"),
        botToken: optional(settings.bot_token, "bot_token"),
        appToken: optional(settings.app_token, "app_token"),
      };
      return slackChannel(secrets, settings.channel, place);
    }
  }
}
