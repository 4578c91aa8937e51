import { randomUUID } from "node:crypto";
import { GATE_VARIABLE, runnersAround } from "../../decisions/gate-mark.ts";
import { platform } from "../../lib/platform/here.ts";
import type { Platform, ProcessEntry } from "../../lib/platform/platform.ts";

/**
 * This process, as a prefix of its runs' marks. A process that finds it dead kills the leftovers of
 * its runs.
 */
export const RUNNER = randomUUID();

/** A name for one run. */
export function newRun(): string {
  return `${RUNNER}.${randomUUID()}`;
}

/**
 * The variable's value for a run: nested runs carry both marks, so the outer runner finds their
 * processes.
 */
export function markOf(run: string, outer = process.env[GATE_VARIABLE]): string {
  return outer === undefined ? run : `${outer} ${run}`;
}

/**
 * Finds the processes of one command.
 *
 * Invariant: a found process is remembered by pid and start time, and found again. The shell's
 * group and session ids are not reused while a process has them, so they are trusted while a
 * remembered process has them.
 */
export class Family {
  readonly #run: string;
  /** The pid of the shell, which is also its group's and session's id. */
  readonly #leader: number;
  /** The shell's start time: older processes do not belong to it. */
  readonly #since: number;
  #known: ReadonlyMap<number, string> = new Map();
  #looked = false;

  constructor(run: string, leader: number) {
    this.#run = run;
    this.#leader = leader;
    this.#since = Number(listed()?.entry(leader)?.began ?? 0);
  }

  /**
   * The running processes: in its group or session, with its mark, remembered, or descended from
   * one of these. Empty if the system does not list processes, or ends them with the leader. Misses
   * a process that left the session, dropped the mark, and lost its parent before the first check.
   */
  look(): readonly ProcessEntry[] {
    const processes = listed();
    if (!processes) return [];
    const table = processes.table().filter(({ began }) => Number(began) >= this.#since);
    const bears = markedBy(processes, (name) => name === this.#run);
    const known = (entry: ProcessEntry) => this.#known.get(entry.pid) === entry.began;
    const inSession = ({ group, session }: ProcessEntry) =>
      group === this.#leader || session === this.#leader;
    const believed = !this.#looked || table.some((entry) => known(entry) && inSession(entry));
    const found = withDescendants(
      table,
      (entry) => known(entry) || (believed && inSession(entry)) || bears(entry.pid),
    );
    this.#known = new Map(found.map(({ pid, began }) => [pid, began]));
    this.#looked = true;
    return found;
  }
}

/** The leftover processes of a dead process's runs; none if this process is one of them. */
export function orphansOf(runner: string): readonly ProcessEntry[] {
  const isOurs = (name: string) => name.startsWith(`${runner}.`);
  const processes = listed();
  if (!processes || runnersAround().has(runner)) return [];
  const bears = markedBy(processes, isOurs);
  return withDescendants(processes.table(), ({ pid }) => bears(pid));
}

/** Where the system ends a group with its leader, and the leader with us, there is nothing to look for. */
function listed(): Platform["processes"] | undefined {
  const { groups, processes } = platform();
  return groups.endWithLeader ? undefined : processes;
}

function markedBy({ variables }: Platform["processes"], isOurs: (name: string) => boolean) {
  const marksOf = variables(GATE_VARIABLE);
  return (pid: number) => marksOf(pid)?.split(" ").some(isOurs) ?? false;
}

function withDescendants(
  table: readonly ProcessEntry[],
  isMember: (entry: ProcessEntry) => boolean,
): readonly ProcessEntry[] {
  const members = new Set(table.filter(isMember).map(({ pid }) => pid));
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const { pid, parent } of table) if (members.has(parent)) members.add(pid);
  }
  return table.filter(({ pid }) => members.has(pid));
}
