/** The ports of the channels of notices: what they take from the core. */

export { ConfigError } from "../../src/config/config.ts";
export type { ChannelSettings, ChannelSettingsOf } from "../../src/config/notice-settings.ts";
export { secretOf } from "../../src/config/secret.ts";
export type { SecretSource } from "../../src/config/secret-source.ts";
export { errorMessage } from "../../src/lib/error-message.ts";
export { parsedJson } from "../../src/lib/json.ts";
export { maskedBeginning, maskSecrets } from "../../src/lib/mask-secrets.ts";
export { platform } from "../../src/lib/platform/here.ts";
export { shorten } from "../../src/lib/shorten.ts";
export { oneLine, visible } from "../../src/lib/visible.ts";
export {
  type Channel,
  type ChannelAct,
  ChannelError,
  type Message,
  type Notice,
  type NoticeAct,
} from "../../src/outside/notices/channel.ts";
