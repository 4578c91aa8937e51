import { statSync } from "node:fs";
import type { Config } from "./config.ts";
import { configPathOf } from "./config-path.ts";
import { confirmedConfig } from "./confirmed.ts";

/**
 * The configuration as a human has confirmed it, for what runs for long: read again where its file has changed, the same object where
 * it has not.
 *
 * @returns gives it as it is now; throws a ConfigError where it cannot be used or nobody has confirmed it
 */
export function liveConfig(readModelPath: string): () => Config {
  let known: { readonly stamp: string; readonly config: Config } | undefined;
  return () => {
    const stamp = stampOf(configPathOf(readModelPath));
    // It may be confirmed without a change of the file: only what could be used is kept.
    if (known?.stamp !== stamp) known = { stamp, config: confirmedConfig(readModelPath) };
    return known.config;
  };
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats ? `${stats.mtimeNs} ${stats.ino} ${stats.size}` : "none";
}
