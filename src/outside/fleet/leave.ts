import { existsSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { requireChangeable } from "../../config/change-config.ts";
import { locationOf } from "../../config/locate-log.ts";
import type { EventLog } from "../../events/log.ts";
import { LOG_URL_VARIABLE, logPathBeside } from "../../events/log-location.ts";
import { makeOneFile } from "../../events/one-file.ts";
import { createLog, openLog, operating } from "../../events/open-log.ts";
import { type Host, ownHost } from "../../events/own-host.ts";
import { auditFile } from "../../events/sqlite-audit.ts";
import { asLogError } from "../../events/sqlite-file.ts";
import { movedFrom } from "../../events/sqlite-moved.ts";
import { replaceLog } from "../../events/sqlite-replace.ts";
import { originIn, readTree } from "../../history/audit/tree.ts";
import type { Environment } from "../../lib/environment.ts";
import { LogError } from "../../lib/log-error.ts";
import { removeUnfinished, unfinishedPath } from "../../lib/processes/unfinished-file.ts";
import { carryOver } from "./carry.ts";
import { FleetError } from "./fleet-error.ts";
import { useLog } from "./join.ts";

export interface Left {
  /** The file that has the log. */
  readonly path: string;
  /** Where the log was, without a password; null if it was in the file already. */
  readonly from: string | null;
  readonly events: number;
  /** The other hosts that have worked on the log, and cannot any more. */
  readonly others: readonly Host[];
}

/**
 * Carries a project's log from its server back to the file of this folder, with positions, ids, times, salts and leaf hashes as they are.
 * At no moment do two logs take appends: the log on the server is ended before the file has its name. After a kill it can be run again.
 *
 * @param owner the log's URL with a login that owns it; absent: `log.url`
 * @throws FleetError `variable`, `rights`; `other_log`: the folder has another log, or the URL names another one; LogError
 */
export async function leaveFleet(
  readModelPath: string,
  owner: string | undefined,
  environment: Environment,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<Left> {
  refuseVariable(variables);
  const location = await locationOf(readModelPath, variables);
  const path = logPathBeside(readModelPath);
  if ("path" in location) return { path, from: null, events: await headOf(path, environment), others: [] };
  // What is to be found when the log has ended is found before.
  requireChangeable(readModelPath);
  const url = owner ?? location.url;
  await requireSamePlace(url, location.url);
  const { lookAtServers, openPostgresLog } = await operating();
  const facts = await lookAtServers(url, () => environment.now() / 1_000);
  if (!facts.rights.includes("owner")) throw await notTheOwner(facts.login, url);
  const own = ownHost(readModelPath);
  const place = inWords(path, own);
  const wasEnded = facts.moved_to === place;
  const from = await openPostgresLog(url, environment, { readsMoved: wasEnded });
  try {
    const others = ((await from.hosts?.list()) ?? []).filter(({ host }) => host !== own.host);
    // Also where it is in place: an earlier run may have been killed before it took its own away.
    removeUnfinished(dirname(path));
    if (!(await isInPlace(path, from, wasEnded, environment)))
      await carry({ from, url, path, place, environment });
    useLog(readModelPath, undefined);
    return { path, from: facts.url, events: await headOf(path, environment), others };
  } finally {
    await from.close();
  }
}

/** @throws FleetError `variable` */
function refuseVariable(variables: NodeJS.ProcessEnv): void {
  if (!variables[LOG_URL_VARIABLE]) return;
  throw new FleetError(
    "variable",
    `${LOG_URL_VARIABLE} is set, and would lead programs to the server still when the log is in its file. Unset it, and name the log by \`signalbox fleet join\` first if .ralph/config.json does not.`,
  );
}

async function headOf(path: string, environment: Environment): Promise<number> {
  const log = await openLog({ path }, environment);
  return log.head().finally(() => log.close());
}

/** Whoever ends another log than the one that the hosts use would make two of one. @throws FleetError `other_log` */
async function requireSamePlace(url: string, configured: string): Promise<void> {
  const { parsePostgresUrl } = await operating();
  const placeIn = (one: string) => parsePostgresUrl(one).shown.replace(/\/\/[^@]*@/, "//");
  if (placeIn(url) === placeIn(configured)) return;
  throw new FleetError(
    "other_log",
    `That is another log than this project's, ${parsePostgresUrl(configured).shown}. Give the same servers, database and schema; only the login may differ.`,
  );
}

async function notTheOwner(login: string, url: string): Promise<FleetError> {
  const { parsePostgresUrl, rolesOf } = await operating();
  const { schema, shown } = parsePostgresUrl(url);
  const example = shown.replace(/\/\/[^@]*@/, "//OWNER@");
  return new FleetError(
    "rights",
    `The login ${login} may not end the log: that takes the role "${rolesOf(schema).owner}". Name a login that has it: signalbox fleet leave '${example}'`,
  );
}

/** Where the log goes on: no other folder and no other machine has the same words. */
function inWords(path: string, { host, name }: Host): string {
  return `the file ${join(realpathSync(dirname(path)), basename(path))} on ${name} (host ${host})`;
}

/**
 * Whether an earlier run was killed between the file's new name and the new configuration.
 *
 * @throws FleetError `other_log`: the folder has a log that is not the one on the server
 */
async function isInPlace(
  path: string,
  from: EventLog,
  wasEnded: boolean,
  environment: Environment,
): Promise<boolean> {
  if (!existsSync(path)) return false;
  if (movedFrom(path) !== undefined) {
    const [there, here] = [await from.audit(originIn), await auditFile(path, originIn, true)];
    if (there === here) return false;
    throw otherLog(path, "what it had went to another server");
  }
  const own = await openLog({ path }, environment);
  try {
    const there = await readTree(from);
    const here = await readTree(own, there.events <= (await own.head()) ? [there.events] : []);
    const [root, same] = [there.roots.get(there.events), here.roots.get(there.events)];
    if (wasEnded && root && same?.equals(root)) return true;
    throw otherLog(path, `it has ${here.events} events, and takes more`);
  } finally {
    await own.close();
  }
}

function otherLog(path: string, what: string): FleetError {
  return new FleetError(
    "other_log",
    `This folder has another log, ${path}: ${what}. Move that file away, with its -wal and -shm, then run this again.`,
  );
}

interface Carried {
  readonly from: EventLog;
  readonly url: string;
  readonly path: string;
  /** In words. */
  readonly place: string;
  readonly environment: Environment;
}

/** Into a file of another name first: an ended log can be copied again, so nothing is lost if that never gets its own. */
async function carry({ from, url, path, place, environment }: Carried): Promise<void> {
  const { endPostgresLog } = await operating();
  refuseOpen(path);
  const beside = unfinishedPath(path);
  try {
    await createLog({ path: beside });
    const to = await openLog({ path: beside }, environment);
    try {
      await carryOver(from, to, (carryRest) =>
        endPostgresLog(url, place, async () => {
          await carryRest();
          await to.close();
          makeWhole(beside);
        }),
      );
    } finally {
      await to.close();
    }
    replaceLog(beside, path);
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${beside}${end}`, { force: true });
  }
}

/** Before anything is changed. @throws LogError `busy` */
function refuseOpen(path: string): void {
  if (!existsSync(path)) return;
  try {
    makeOneFile(path);
  } catch (cause) {
    const error = asLogError(cause, path);
    if (!(error instanceof LogError && error.code === "busy")) throw error;
    throw new LogError(
      "busy",
      `A program that was started before the log went to the server has ${path} open. Stop it, then run this again.`,
      { cause },
    );
  }
}

/** What takes room on the disk is done while the log can still go on where it is. */
function makeWhole(path: string): void {
  try {
    makeOneFile(path);
  } catch (cause) {
    throw asLogError(cause, path);
  }
}
