import { writeWhole } from "../lib/write-whole.ts";
import { parseConfig } from "./config.ts";
import { confirmConfig, type InspectedConfig, inspectConfig, requireConfirmed } from "./confirmed.ts";

/**
 * Changes a project's configuration file for somebody who asks for it, so the file stays confirmed. All that `change` leaves stays as
 * it is.
 *
 * @throws UnconfirmedConfigError: nobody has confirmed the file as it was; ConfigError: it, or what would become of it, cannot be used
 */
export function changeConfig(readModelPath: string, change: (before: object) => object): void {
  writeChange(inspectConfig(readModelPath), change);
}

/** @throws UnconfirmedConfigError, ConfigError: `changeConfig` would refuse */
export function requireChangeable(readModelPath: string): void {
  requireConfirmed(inspectConfig(readModelPath));
}

/** The same of a configuration that was inspected. */
export function writeChange(before: InspectedConfig, change: (before: object) => object): void {
  requireConfirmed(before);
  const { path, file, readModelPath } = before;
  const value: unknown = file && JSON.parse(file.text);
  const content = change(typeof value === "object" && value !== null ? value : {});
  // What was legal before is so afterwards; whatever is not is better found now.
  parseConfig(content, path);
  const text = `${JSON.stringify(content, null, 2)}\n`;
  writeWhole(path, text);
  const after = inspectConfig(readModelPath);
  // What somebody else has written meanwhile is not what was confirmed.
  if (after.file?.text === text) confirmConfig(after);
}
