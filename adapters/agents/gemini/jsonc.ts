import { existsSync, readFileSync } from "node:fs";
import { ConfigError } from "../core.ts";

/**
 * Parses a settings file that may contain comments; empty if the file does not exist.
 *
 * @throws ConfigError: it is not JSON
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

/** Matches strings too, so that comment marks inside a string stay. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string?: string) => string ?? "",
  );
}
