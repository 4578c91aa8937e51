import { createHmac, randomBytes } from "node:crypto";
import { projectState } from "./project-state.ts";

/**
 * Signs texts with a key that lies in the state folder alone, and is made when it is first needed.
 *
 * @param file its name there; the usual one says that a file in `.ralph/` is ours
 * @returns gives an HMAC-SHA-256; throws LogError `no_state`, Error from the system
 */
export function projectMac(readModelPath: string, file = "mac.key"): (text: string) => Buffer {
  let key: Buffer | undefined;
  return (text) => {
    key ??= keyOf(readModelPath, file);
    return createHmac("sha256", key).update(text).digest();
  };
}

/** The key that signs answers to notices. */
export const NOTICES_KEY = "notices.key";

function keyOf(readModelPath: string, file: string): Buffer {
  const state = projectState(readModelPath);
  const make = () => `${randomBytes(32).toString("base64url")}\n`;
  const key = Buffer.from(state.readOrMake(file, make).trim(), "base64url");
  if (key.length === 32) return key;
  throw new Error(
    `${file} in ${state.folder} is not a key. Remove it: a new one is made, and what the old one signed counts no more.`,
  );
}
