import type { ChannelSettings } from "../../config/notice-settings.ts";
import type { Channel } from "../channel.ts";

/**
 * Makes a channel as the configuration has it. Connects to nothing yet.
 *
 * @param name of the channel, for errors: `notices.channels.NAME`
 * @throws ConfigError: a secret is not there, or cannot be used
 */
export async function openChannel(name: string, settings: ChannelSettings): Promise<Channel> {
  throw new Error(`There is no channel of kind ${settings.kind} yet (${name}).`);
}
