import type { Config } from "../../config/config.ts";
import { type ChannelStatus, channelStatus, deadLetters, waitingNotices } from "../../queries/notices.ts";
import type { ReadView } from "../../read-model/read-view.ts";
import { loopNewsSince } from "./told-channel.ts";

/** How notices stand. */
export interface NoticesStatus {
  readonly channels: readonly (ChannelStatus & {
    readonly channel: string;
    readonly kind: string;
    /** What was not told yet; some of it may wait for its hour. */
    readonly waiting: number;
  })[];
  /** What was given up, the oldest first. */
  readonly dead: ReturnType<typeof deadLetters>;
}

/** @param now_ms in milliseconds since 1970 */
export function noticesStatus(
  readModel: ReadView,
  { notices }: Pick<Config, "notices">,
  now_ms: number,
): NoticesStatus {
  return {
    channels: Object.entries(notices.channels).map(([channel, { kind }]) => ({
      channel,
      kind,
      waiting: waitingNotices(readModel, channel, loopNewsSince(now_ms)).length,
      ...channelStatus(readModel, channel),
    })),
    dead: deadLetters(readModel),
  };
}
