import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectState } from "./project-state.ts";

/** What is known of a token, in a file that is named by the token's hash; the token itself is kept nowhere. */
export interface TokenFiles {
  /** @returns the file: whoever removes it ends the token. @throws LogError `no_state`; Error from the system */
  keep(token: string, value: object): string;
  /** The text of its file; undefined where it has none. */
  find(token: string): string | undefined;
  /** The hashes of all tokens. */
  list(): readonly string[];
  read(hash: string): string | undefined;
  remove(hash: string): void;
}

/** The tokens of a project in a folder of its state. @throws LogError `no_state` */
export function tokenFiles(readModelPath: string, name: string): TokenFiles {
  const state = projectState(readModelPath);
  const fileOf = (hash: string) => join(name, `${hash}.json`);
  return {
    keep(token, value) {
      const file = fileOf(hashOf(token));
      state.write(file, `${JSON.stringify(value, undefined, 2)}\n`);
      return join(state.folder, file);
    },
    find: (token) => state.read(fileOf(hashOf(token))),
    list() {
      try {
        return readdirSync(join(state.folder, name)).flatMap(
          (file) => /^([0-9a-f]{64})\.json$/.exec(file)?.[1] ?? [],
        );
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
        throw error;
      }
    },
    read: (hash) => state.read(fileOf(hash)),
    remove: (hash) => state.remove(fileOf(hash)),
  };
}

/** Of a token, in hexadecimal digits. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
