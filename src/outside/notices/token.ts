import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { NOTICES_KEY, projectMac } from "../../config/project-key.ts";
import { itemKinds } from "../../projections/board/inbox-tables.ts";

/** What a token lets its holder do: one act on one item, as one person. */
export interface AnswerRight {
  readonly kind: (typeof itemKinds)[number];
  readonly id: number;
  readonly task: number;
  /** Absent where the channel itself says who acts. */
  readonly person?: string | undefined;
}

/** Makes and reads tokens with a key that lies outside of the project. */
export interface AnswerTokens {
  /** The same token each time for the same right. */
  make(right: AnswerRight): string;
  /** Undefined: it was not made with this key, or was changed. */
  read(token: string): AnswerRight | undefined;
}

/** @throws LogError `no_state`; Error from the system */
export function answerTokens(readModelPath: string): AnswerTokens {
  const sign = projectMac(readModelPath, NOTICES_KEY);
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
