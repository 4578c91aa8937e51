import type { Config } from "../../config/config.ts";
import type { ChannelSettings } from "../../config/notice-settings.ts";
import { isAtLeast, roleForItem } from "../people/roles.ts";
import type { NoticeSurroundings } from "./notice.ts";
import { answerTokens } from "./token.ts";

/**
 * Makes the tokens for a channel's notices. Whoever reads a channel may act by them, so they are made only where that is one person
 * whose role allows it, or where the channel says who acts; and where the panel's address is known, to which an act is sent.
 *
 * @param name of the channel
 */
export function tokensOn(
  name: string,
  channel: ChannelSettings,
  { notices, people }: Pick<Config, "notices" | "people">,
  readModelPath: string,
): NoticeSurroundings["tokenFor"] {
  const tokens = answerTokens(readModelPath);
  if (saysWhoActs(channel)) return (item) => tokens.make(item);
  const [first, ...others] = Object.entries(people).filter(([, { channels }]) => channels.includes(name));
  const canAct = channel.kind === "webhook" || channel.kind === "ntfy";
  if (!first || others.length > 0 || notices.url === undefined || !canAct) return () => undefined;
  const [person, { role }] = first;
  return (item) => (isAtLeast(role, roleForItem(item.kind)) ? tokens.make({ ...item, person }) : undefined);
}

/** Its acts come back by a connection that names the account. */
function saysWhoActs(channel: ChannelSettings): boolean {
  return channel.kind === "slack" && channel.app_token !== undefined;
}
