import { ConfigError, readConfig } from "../../config/config.ts";
import { configPathOf } from "../../config/config-path.ts";
import { inspectConfig, UnconfirmedConfigError } from "../../config/confirmed.ts";
import type { Config } from "../../config/schema.ts";
import { type Check, failed, ok, type Place, skipped, warning } from "./check.ts";

/** Whether the configuration is valid, and whether it is likely to cause problems. */
export const configCheck: Check = {
  name: "config",
  look(place) {
    if (place.readModelPath === undefined) return [skipped("config", "there is no project")];
    const path = configPathOf(place.readModelPath);
    try {
      const { config, file, isConfirmed } = inspectConfig(place.readModelPath, place.env);
      if (!isConfirmed) {
        const found = `${path} is not confirmed, so nothing is run`;
        return [warning("config", found, "Review and confirm it with `signalbox config trust`.")];
      }
      if (config.jobs > 1 && !config.worktrees) {
        const found = `${config.jobs} parallel sessions share one workspace`;
        return [warning("config", found, `Set "worktrees": true in ${path}, or "jobs": 1.`)];
      }
      return [ok("config", file ? `${path} is valid` : "no file; the defaults apply")];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (error instanceof UnconfirmedConfigError)
        return [failed("config", error.message, "Then run `signalbox config trust`.")];
      return [
        failed("config", error.message, `Correct ${path}; \`signalbox config check\` lists each fault.`),
      ];
    }
  },
};

/**
 * The configuration, for checks that depend on it; undefined if it is invalid, which is reported
 * once.
 */
export function usableConfig({ readModelPath }: Place): Config | undefined {
  try {
    return readModelPath === undefined ? undefined : readConfig(readModelPath);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
