import { randomBytes } from "node:crypto";
import { z } from "zod";
import { hashOf, tokenFiles } from "../../config/token-files.ts";
import type { EventLog } from "../../events/log.ts";

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
 * Makes a token for a session. Only its hash is kept, in the project's state folder: whoever removes the file
 * ends the token.
 *
 * @returns the token, which cannot be had again, and its file
 * @throws LogError `no_state`; Error from the system
 */
export async function makeToken(
  log: EventLog,
  readModelPath: string,
  grant: Grant,
): Promise<{ readonly token: string; readonly file: string }> {
  const token = `sb_${await projectMark(log)}_${randomBytes(32).toString("base64url")}`;
  return { token, file: tokenFiles(readModelPath, FOLDER).keep(token, grant) };
}

/** What a token's holder may do, or why it may do nothing. @param mark of this project */
export function findGrant(readModelPath: string, mark: string, token: string): Grant | TokenFault {
  const [, project] = TOKEN.exec(token) ?? [];
  if (project === undefined) return "no_token";
  if (project !== mark) return "foreign";
  const text = tokenFiles(readModelPath, FOLDER).find(token);
  return text === undefined ? "unknown" : grantSchema.parse(JSON.parse(text));
}

/** Tells the tokens of a project from those of others: of the log's first event, by which a log is named (decision 28). */
export async function projectMark(log: EventLog): Promise<string> {
  const [first] = await log.read(0, 1);
  return hashOf(first?.id ?? "").slice(0, 8);
}

const TOKEN = /^sb_([0-9a-f]{8})_[\w-]{43}$/;

const grantSchema = z.strictObject({ session: z.string(), variables: z.record(z.string(), z.string()) });

const FOLDER = "tokens";
