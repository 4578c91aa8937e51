import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { EventLog } from "../../events/log.ts";
import { makePrivateFolder } from "../../events/private-folder.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { contentOf, writeWhole } from "../../lib/write-whole.ts";

/** What a token lets its holder do: what an agent may whose server has these variables. */
export interface Grant {
  /** The session's id, or the name of a conversation without a task. */
  readonly session: string;
  /** The environment of its server over stdio; `readLaunch` (../launch.ts) reads it. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Why a token opens nothing. */
export type TokenFault = "no_token" | "foreign" | "unknown";

/**
 * Makes a token for a session. Only its hash is kept, in `.ralph/tokens/`: whoever removes the file
 * ends the token.
 *
 * @returns the token, which cannot be had again, and its file
 * @throws LogError `disk`; Error from the system
 */
export async function makeToken(
  log: EventLog,
  readModelPath: string,
  grant: Grant,
): Promise<{ readonly token: string; readonly file: string }> {
  const token = `sb_${await projectMark(log)}_${randomBytes(32).toString("base64url")}`;
  const file = fileOf(readModelPath, token);
  makePrivateFolder(folderOf(readModelPath));
  writeWhole(file, `${JSON.stringify(grant, undefined, 2)}\n`);
  return { token, file };
}

/** What a token's holder may do, or why it may do nothing. @param mark of this project */
export function findGrant(readModelPath: string, mark: string, token: string): Grant | TokenFault {
  const [, project] = TOKEN.exec(token) ?? [];
  if (project === undefined) return "no_token";
  if (project !== mark) return "foreign";
  const text = contentOf(fileOf(readModelPath, token));
  return text === undefined ? "unknown" : grantSchema.parse(JSON.parse(text));
}

/** Tells the tokens of a project from those of others: of the log's first event, by which a log is named (decision 28). */
export async function projectMark(log: EventLog): Promise<string> {
  const [first] = await log.read(0, 1);
  return sha256(first?.id ?? "").slice(0, 8);
}

const TOKEN = /^sb_([0-9a-f]{8})_[\w-]{43}$/;

const grantSchema = z.strictObject({ session: z.string(), variables: z.record(z.string(), z.string()) });

function fileOf(readModelPath: string, token: string): string {
  return join(folderOf(readModelPath), `${sha256(token)}.json`);
}

function folderOf(readModelPath: string): string {
  return join(ralphFolderOf(readModelPath), "tokens");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
