import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makePrivateFolder } from "../events/private-folder.ts";
import { ralphFolderOf } from "../events/project-folder.ts";
import { itemKinds } from "../projections/board/inbox-tables.ts";

/** What a token lets its holder do: one act on one item, as one person. */
export interface AnswerRight {
  readonly kind: (typeof itemKinds)[number];
  readonly id: number;
  readonly task: number;
  /** Absent where the channel itself says who acts. */
  readonly person?: string | undefined;
}

/** Makes and reads tokens with a key that only this project's folder has. */
export interface AnswerTokens {
  /** The same token each time for the same right. */
  make(right: AnswerRight): string;
  /** Undefined: it was not made with this key, or was changed. */
  read(token: string): AnswerRight | undefined;
}

/** Its key is made when it is first needed, in `.ralph/notices/key`. @throws LogError `disk`; Error from the system */
export function answerTokens(readModelPath: string): AnswerTokens {
  let key: Buffer | undefined;
  function sign(payload: string): Buffer {
    key ??= keyOf(readModelPath);
    return createHmac("sha256", key).update(payload).digest();
  }
  return {
    make({ kind, id, task, person }) {
      const payload = Buffer.from(JSON.stringify([kind, id, task, person ?? null])).toString("base64url");
      return `${PREFIX}${payload}.${sign(payload).toString("base64url")}`;
    },
    read(token) {
      const [, payload = "", mac = ""] = TOKEN.exec(token) ?? [];
      const expected = sign(payload);
      const given = Buffer.from(mac, "base64url");
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const [kind, id, task, person] = signed.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
      return { kind, id, task, ...(person !== null && { person }) };
    },
  };
}

const PREFIX = "sba_";
const TOKEN = /^sba_([\w-]{1,2000})\.([\w-]{43})$/;
const signed = z.tuple([z.enum(itemKinds), z.number(), z.number(), z.string().nullable()]);

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
