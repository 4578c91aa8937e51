import { readFileSync } from "node:fs";
import { errorMessage } from "../lib/error-message.ts";
import { ConfigError } from "./config.ts";
import type { SecretSource } from "./secret-source.ts";

/**
 * A secret of the configuration, without the blanks around it.
 *
 * @param field its place in the configuration, for the error
 * @throws ConfigError: the variable is not set, the file cannot be read, or it is empty
 */
export function secretOf(
  source: SecretSource,
  field: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const secret = ("env" in source ? env[source.env] : readSecret(source.file, field))?.trim();
  if (secret) return secret;
  throw new ConfigError(
    "env" in source
      ? `${field} is kept in the environment variable ${source.env}, which is not set. Set it, and start signalbox again.`
      : `${field} is kept in ${source.file}, which is empty. Write the secret into it.`,
  );
}

function readSecret(file: string, field: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new ConfigError(
      `${field} is kept in ${file}, which cannot be read: ${errorMessage(cause).replace(/\.$/, "")}.`,
      { cause },
    );
  }
}
