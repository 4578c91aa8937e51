import { createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../events/private-folder.ts";
import { ralphFolderOf } from "../events/project-folder.ts";

/**
 * Signs texts with a key that only this project's folder has, `.ralph/notices/key`, which is made when it is first needed.
 *
 * @returns gives an HMAC-SHA-256; throws LogError `disk`, Error from the system
 */
export function projectMac(readModelPath: string): (text: string) => Buffer {
  let key: Buffer | undefined;
  return (text) => {
    key ??= keyOf(readModelPath);
    return createHmac("sha256", key).update(text).digest();
  };
}

function keyOf(readModelPath: string): Buffer {
  const folder = join(ralphFolderOf(readModelPath), "notices");
  const path = join(folder, "key");
  if (!existsSync(path)) {
    makePrivateFolder(folder);
    try {
      writeFileSync(path, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
    } catch (error) {
      // Another process was first.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "base64url");
  if (key.length === 32) return key;
  throw new Error(`${path} is not a key. Remove it: a new one is made, and links in older notices end.`);
}
