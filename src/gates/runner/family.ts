import { randomUUID } from "node:crypto";
import { GATE_VARIABLE, runnersAround } from "../../decisions/gate-mark.ts";
import { type ProcessEntry, processEntry, processTable, variableOf } from "../../processes/table.ts";

/** This process, as the names of its runs begin. Whoever finds it dead ends what its runs have left. */
export const RUNNER = randomUUID();

/** A name for one run. */
export function newRun(): string {
  return `${RUNNER}.${randomUUID()}`;
}

/** The value of the variable for a run: a command that runs gates itself is not lost to whoever runs it. */
export function markOf(run: string, outer = process.env[GATE_VARIABLE]): string {
  return outer === undefined ? run : `${outer} ${run}`;
}

/**
 * Looks for the processes of one command.
 *
 * Invariant: what was found once is known by number and beginning, and found again. The numbers of group and session are the
 * shell's, and belong to nobody else while a process has them; so they are believed while one that is known does.
 */
export class Family {
  readonly #run: string;
  /** Of the shell, and of its group and session, which it leads. */
  readonly #leader: number;
  /** When the shell began, in ticks: nothing that is older belongs to it. */
  readonly #since: number;
  #known: ReadonlyMap<number, string> = new Map();
  #looked = false;

  constructor(run: string, leader: number) {
    this.#run = run;
    this.#leader = leader;
    this.#since = Number(processEntry(leader)?.began ?? 0);
  }

  /**
   * Those that are there now: of its group or session, with its mark, known from before, or a descendant of one of these. None where
   * the system does not tell (all but Linux). Missed is what has left the session, has thrown the mark away, and lost its parent
   * before anybody looked.
   */
  look(): readonly ProcessEntry[] {
    const table = processTable().filter(({ began }) => Number(began) >= this.#since);
    const known = (entry: ProcessEntry) => this.#known.get(entry.pid) === entry.began;
    const inSession = ({ group, session }: ProcessEntry) =>
      group === this.#leader || session === this.#leader;
    const believed = !this.#looked || table.some((entry) => known(entry) && inSession(entry));
    const found = withDescendants(
      table,
      (entry) =>
        known(entry) || (believed && inSession(entry)) || bears(entry.pid, (name) => name === this.#run),
    );
    this.#known = new Map(found.map(({ pid, began }) => [pid, began]));
    this.#looked = true;
    return found;
  }
}

/** What the runs of a process that is gone have left; nothing, where we are a part of that ourselves. */
export function orphansOf(runner: string): readonly ProcessEntry[] {
  const isOurs = (name: string) => name.startsWith(`${runner}.`);
  if (runnersAround().has(runner)) return [];
  return withDescendants(processTable(), ({ pid }) => bears(pid, isOurs));
}

function bears(pid: number, isOurs: (name: string) => boolean): boolean {
  return variableOf(pid, GATE_VARIABLE)?.split(" ").some(isOurs) ?? false;
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
