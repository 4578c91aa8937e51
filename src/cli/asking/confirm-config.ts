import { type Config, ConfigError, configIn } from "../../config/config.ts";
import {
  confirmConfig,
  type InspectedConfig,
  inspectConfig,
  requireConfirmed,
} from "../../config/confirmed.ts";
import { type Difference, differences } from "../../config/differences.ts";
import { pc } from "../../lib/terminal/output.ts";
import { visible } from "../../lib/visible.ts";
import { type CommonOptions, readModelPath } from "../making/command.ts";
import { canAsk, confirmedByHand } from "./questions.ts";

/**
 * The configuration by which a command starts or sends something. One that nobody has confirmed is shown to whoever sits at the
 * terminal, and asked about.
 *
 * @throws UnconfirmedConfigError: there is nobody to ask, or it was declined; ConfigError
 */
export async function configToUse(options: Pick<CommonOptions, "db">): Promise<Config> {
  const inspected = inspectConfig(readModelPath(options));
  if (inspected.isConfirmed || !canAsk()) return requireConfirmed(inspected);
  for (const line of changeLines(inspected)) process.stderr.write(`${line}\n`);
  if (!(await confirmedByHand())) return requireConfirmed(inspected);
  confirmConfig(inspected);
  return inspected.config;
}

/** What a configuration changes, for a human who is to confirm it: each value whole, since the end may be what matters. */
export function changeLines(inspected: InspectedConfig): string[] {
  const { path, file } = inspected;
  const { since, changes } = changesIn(inspected);
  const than = since === "defaults" ? "the defaults" : "the last confirmed configuration";
  const what = file
    ? `${path} has not been confirmed. Compared with ${than}:`
    : `${path} is gone, so the defaults apply. Compared with ${than}:`;
  if (changes.length === 0) return [what, "  The values are the same; only the text differs."];
  return [
    what,
    ...changes.map(
      ({ path: field, before, now }) => `  ${visible(field)}: ${pc.dim(shown(before))} → ${shown(now)}`,
    ),
  ];
}

/** What a configuration changes, and since when: since it was confirmed, where that can still be read. */
export function changesIn({ path, confirmed, config }: InspectedConfig): {
  readonly since: "defaults" | "confirmed";
  readonly changes: readonly Difference[];
} {
  const before = confirmed && usable(confirmed, path);
  return before
    ? { since: "confirmed", changes: differences(before, config) }
    : { since: "defaults", changes: differences(configIn(undefined, path), config) };
}

/** Another version may have confirmed what this one cannot use. */
function usable(file: InspectedConfig["file"], path: string): Config | undefined {
  try {
    return configIn(file, path);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function shown(value: unknown): string {
  return value === undefined ? "none" : visible(JSON.stringify(value));
}
