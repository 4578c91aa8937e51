import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { locationOf } from "../../config/locate-log.ts";
import { signingKeyPath } from "../../config/project-state.ts";
import { launchedEnvironment } from "../../decisions/system-environment.ts";
import type { EventLog } from "../../events/log.ts";
import { logToAudit } from "../../events/open-log.ts";
import { type Checkpoint, readCheckpoints } from "../../history/audit/checkpoint.ts";
import { readKeyFile } from "../../history/audit/key-file.ts";
import { gatherBounded, readBounded } from "../../history/audit/read-bounded.ts";
import type { NoteSigner } from "../../history/audit/signed-note.ts";
import { type CommonOptions, projectOptions, readModelPath, warnOfFolder } from "./command.ts";

export interface SigningOptions extends Omit<CommonOptions, "at"> {
  readonly keyFile?: string | undefined;
  /** False with `--no-sign`. */
  readonly sign?: boolean;
}

/** The options of commands that print a tree head, which is signed where there is a key. */
export function signingOptions(command: Command): Command {
  return projectOptions(command)
    .option("--key-file <path>", "the private key's file (default: the one that `key make` made)")
    .option("--no-sign", "do not sign, even if there is a key");
}

/** The project's log, as it is stored. @throws LogError `disk`, `bad_location` */
export async function auditedLog(options: Pick<CommonOptions, "db">): Promise<Pick<EventLog, "audit">> {
  const db = readModelPath(options);
  warnOfFolder(db);
  return logToAudit(await locationOf(db), launchedEnvironment(process.env));
}

/** Where the private key lies, or would. */
export function keyPath({ keyFile, ...options }: SigningOptions): string {
  return keyFile === undefined ? signingKeyPath(readModelPath(options)) : resolve(keyFile);
}

/** Who signs; undefined where nobody does. @throws AuditError `bad_key`; Error of the system: a key that was named is not there */
export function signerOf(options: SigningOptions): NoteSigner | undefined {
  if (options.sign === false) return undefined;
  const signer = readKeyFile(keyPath(options));
  // What was named must be there; this says so as the system does.
  if (!signer && options.keyFile !== undefined) readFileSync(resolve(options.keyFile));
  return signer;
}

/** The tree heads in a file, or with `-` in standard input. @throws AuditError `bad_head`, `too_large`; Error of the system */
export async function headsIn(path: string): Promise<Checkpoint[]> {
  return readCheckpoints(
    path === "-" ? await gatherBounded(process.stdin, "Standard input") : readBounded(resolve(path)),
  );
}
