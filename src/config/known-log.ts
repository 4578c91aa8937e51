import { statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EventLog } from "../events/log.ts";
import { logPathBeside } from "../events/log-location.ts";
import { traceOf } from "../events/sqlite-in-place.ts";
import { LogError } from "../lib/log-error.ts";
import { MerkleTree } from "../lib/merkle.ts";
import { type ProjectState, projectState } from "./project-state.ts";

/** What is kept of a log outside of the project: its identity and its tree head (RFC 6962 §2.1) when it was seen last. */
export interface KnownLog {
  /** The id of its first event; absent: it was empty. */
  readonly log?: string | undefined;
  /** How many events it had. */
  readonly size: number;
  /** The roots of the tree's complete subtrees, in hex. */
  readonly whole: readonly string[];
  /** The leaf hash of the last event, in hex. */
  readonly leaf?: string | undefined;
  /** Of a log in a file: what tells it from another one in its place, or one with another schema. */
  readonly file?: string | undefined;
  /** The same for its journal (-wal). */
  readonly journal?: string | undefined;
}

/**
 * Whether a log is the one that was seen here before, or continues it. `unknown`: none was; `replaced`: it is another one;
 * `truncated`: it ends before the known head; `rewritten`: other events are below that.
 */
export type LogStanding = "known" | "unknown" | "replaced" | "truncated" | "rewritten";

/** Lets nothing be recorded in a log that nobody here knows (docs/trust.md). */
export interface LogGuard {
  standing(log: EventLog): Promise<LogStanding>;
  /** @throws LogError `unknown_log`; `no_state`: what is known cannot be looked up */
  permit(log: EventLog): Promise<void>;
  /** Keeps the head of a log in which this process has recorded something; also done from time to time. */
  leave(log: EventLog): Promise<void>;
}

/** @param env the variables that say where the state is kept */
export function logGuard(readModelPath: string, env: NodeJS.ProcessEnv = process.env): LogGuard {
  let keeping: NodeJS.Timeout | undefined;
  const found = journalOf(logPathBeside(readModelPath));
  const keep = async (log: EventLog) => keepHead(log, projectState(readModelPath, env));
  const standing = (log: EventLog) => standingOf(log, knownLog(projectState(readModelPath, env)), found);
  return {
    standing,
    async permit(log) {
      refuseUnknown(await standing(log), readModelPath);
      // Before the first event: whoever is killed after it finds the log known.
      await keep(log);
      keeping ??= setInterval(() => void keep(log).catch(() => {}), KEEP_MS).unref();
    },
    async leave(log) {
      if (!keeping) return;
      clearInterval(keeping);
      // A server may not answer; the next one to close the log keeps its head.
      await Promise.race([keep(log).catch(() => {}), delay(LAST_KEEP_MS, undefined, { ref: false })]);
    },
  };
}

/** What a process that is killed recorded since is not known to be the log's. */
const KEEP_MS = 5_000;
const LAST_KEEP_MS = 1_000;

const FILE = "log.json";

/** Undefined: none is known. @throws LogError `no_state` */
export function knownLog(state: ProjectState): KnownLog | undefined {
  const text = state.read(FILE);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The next log in this place is known from its beginning: it is made by us, or a human has looked at it. */
export function forgetLog(readModelPath: string): void {
  projectState(readModelPath).remove(FILE);
}

/**
 * A human has looked at the log as it is, or it was made here.
 *
 * @param upTo how many events were looked at; absent: all
 * @throws LogError `no_state`; as `EventLog`
 */
export async function trustLog(log: EventLog, readModelPath: string, upTo?: number): Promise<void> {
  await write(log, projectState(readModelPath), { size: 0, whole: [] }, upTo);
}

/** Also before what is sent to others without being recorded first. @throws LogError `unknown_log`, `no_state` */
export async function requireKnownLog(log: EventLog, readModelPath: string): Promise<void> {
  refuseUnknown(await standingOf(log, knownLog(projectState(readModelPath))), readModelPath);
}

/** The tree of a log when it was seen last. */
export function knownTree({ size, whole }: KnownLog): MerkleTree {
  return new MerkleTree(
    size,
    whole.map((root) => Buffer.from(root, "hex")),
  );
}

/**
 * A log is known again without reading all of it where only programs that keep to its triggers can have written since: it is the same
 * file with the same schema, and its journal was removed at a proper end or is the one that was seen.
 *
 * @param foundJournal the journal before the log was opened
 */
async function standingOf(
  log: EventLog,
  known: KnownLog | undefined,
  foundJournal = known?.journal,
): Promise<LogStanding> {
  const { id, file } = await tracesOf(log);
  if (!known) return id === undefined ? "known" : "unknown";
  // Whoever was killed after its first events has kept the file alone.
  if (known.size === 0) return known.file === file || id === undefined ? "known" : "replaced";
  if (id !== known.log) return "replaced";
  if ((await log.head()) < known.size) return "truncated";
  const isUntouched = known.file === file && foundJournal === known.journal;
  return (isUntouched && (await hasLeaf(log, known))) || (await hasTree(log, known)) ? "known" : "rewritten";
}

/** The id of its first event, and what tells a file. */
async function tracesOf(log: EventLog) {
  const { log: id, schema } = await log.identity();
  if (log.path === undefined) return { id };
  return { id, file: `${traceOf(log.path)} ${schema}`, journal: journalOf(log.path) };
}

/** What tells a log's journal; an empty one, which a reader leaves, is none. */
function journalOf(path: string): string | undefined {
  const journal = `${path}-wal`;
  return statSync(journal, { throwIfNoEntry: false })?.size ? traceOf(journal) : undefined;
}

async function hasLeaf(log: EventLog, { size, leaf }: KnownLog): Promise<boolean> {
  const [record] = await log.records(size - 1, 1);
  return record !== undefined && hexOf(record.leafHash) === leaf;
}

function hasTree(log: EventLog, known: KnownLog): Promise<boolean> {
  return log.audit(async (stored) => {
    const tree = new MerkleTree();
    for await (const page of stored.leaves(0, known.size)) {
      for (const { leaf_hash } of page) {
        if (!Buffer.isBuffer(leaf_hash) || leaf_hash.length !== HASH_BYTES) return false;
        tree.add(leaf_hash);
      }
    }
    return tree.size === known.size && tree.root().equals(knownTree(known).root());
  });
}

const HASH_BYTES = 32;
const PAGE = 1_000;

/** Keeps the head of a log that continues the known one. */
async function keepHead(log: EventLog, state: ProjectState): Promise<void> {
  const known = knownLog(state) ?? { size: 0, whole: [] };
  const head = await log.head();
  const { file, journal } = await tracesOf(log);
  if (head === known.size && head > 0 && known.file === file && known.journal === journal) return;
  await write(log, state, known);
}

/** @param from the beginning that is known; the rest is read, `upTo` so many events */
async function write(
  log: EventLog,
  state: ProjectState,
  from: KnownLog,
  upTo = Number.POSITIVE_INFINITY,
): Promise<void> {
  const tree = knownTree(from);
  let { leaf } = from;
  for (;;) {
    const page = await log.records(tree.size, Math.min(PAGE, upTo - tree.size));
    for (const { leafHash } of page) tree.add(Buffer.from(leafHash));
    const last = page.at(-1);
    if (!last) break;
    leaf = hexOf(last.leafHash);
  }
  const { id, file, journal } = await tracesOf(log);
  const whole = tree.whole.map(hexOf);
  const known: KnownLog = { log: id, size: tree.size, whole, leaf, file, journal };
  state.write(FILE, `${JSON.stringify(known)}\n`);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** What is wrong with a log, as the beginning of a sentence. */
export const STANDING_WORDS: Readonly<Record<Exclude<LogStanding, "known">, string>> = {
  unknown: "Nobody here has confirmed this log",
  replaced: "This is not the log that was here before",
  truncated: "This log lacks events that it had before",
  rewritten: "This log has other events than it had before",
};

function refuseUnknown(standing: LogStanding, readModelPath: string): void {
  if (standing === "known") return;
  throw new LogError("unknown_log", `${trustAdvice(standing, readModelPath)} Nothing was recorded.`);
}

/** What a human is told who reads such a log, or wants to have something run from it. */
export function trustAdvice(standing: Exclude<LogStanding, "known">, readModelPath: string): string {
  const folder = dirname(dirname(dirname(readModelPath)));
  return `${STANDING_WORDS[standing]}, so signalbox runs nothing from it. Review and confirm it with \`signalbox log trust\` in ${folder}.`;
}
