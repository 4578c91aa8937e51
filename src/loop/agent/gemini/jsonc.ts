import { existsSync, readFileSync } from "node:fs";
import { ConfigError } from "../../../config/config.ts";

/**
 * What a settings file holds that may have comments; empty where there is none.
 *
 * @throws ConfigError: it cannot be read as JSON
 */
export function objectInJsonc(path: string): Readonly<Record<string, unknown>> {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(withoutComments(readFileSync(path, "utf8")));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read, but the agent's client needs it. Correct it.`, {
      cause,
    });
  }
}

/** Strings are matched too, so that what looks like a comment in one stays. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string?: string) => string ?? "",
  );
}
