import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../events/private-folder.ts";
import { ralphFolderOf } from "../events/project-folder.ts";
import { contentOf, writeWhole } from "../lib/write-whole.ts";

/** What is known of a token, in a file that is named by the token's hash; the token itself is kept nowhere. */
export interface TokenFiles {
  /** @returns the file: whoever removes it ends the token. @throws LogError `disk`; Error from the system */
  keep(token: string, value: object): string;
  /** The text of its file; undefined where it has none. */
  find(token: string): string | undefined;
  /** The hashes of all tokens. */
  list(): readonly string[];
  read(hash: string): string | undefined;
  remove(hash: string): void;
}

/** The tokens of a project in a folder of `.ralph/`. */
export function tokenFiles(readModelPath: string, name: string): TokenFiles {
  const folder = join(ralphFolderOf(readModelPath), name);
  const fileOf = (hash: string) => join(folder, `${hash}.json`);
  return {
    keep(token, value) {
      makePrivateFolder(folder);
      const file = fileOf(hashOf(token));
      writeWhole(file, `${JSON.stringify(value, undefined, 2)}\n`);
      return file;
    },
    find: (token) => contentOf(fileOf(hashOf(token))),
    list() {
      try {
        return readdirSync(folder).flatMap((file) => /^([0-9a-f]{64})\.json$/.exec(file)?.[1] ?? []);
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
        throw error;
      }
    },
    read: (hash) => contentOf(fileOf(hash)),
    remove: (hash) => rmSync(fileOf(hash), { force: true }),
  };
}

/** Of a token, in hexadecimal digits. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
