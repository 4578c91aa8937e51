import { doing } from "./doing.ts";

/** One side of a comparison. `run` may return its own time in milliseconds; else the whole of it is timed. */
export interface Contestant {
  readonly name: string;
  run(): unknown;
}

export interface Race {
  /** The first is what the others are compared with. */
  readonly contestants: readonly Contestant[];
  close?(): unknown;
}

/** The times of one contestant, in milliseconds, round by round. */
export interface Times {
  readonly name: string;
  readonly rounds: readonly (readonly number[])[];
}

/**
 * Runs contestants by turns, so that whatever else the machine does hits them alike. The order changes with each turn.
 *
 * @param turns how often each contestant has its turn in a round; a round has files of its own, made by `open`
 * @param warmUp turns before those, whose times are dropped
 * @param block how often it runs in a turn, one run after the other: a process that was just woken is slower
 */
export async function race(
  {
    rounds,
    turns,
    warmUp,
    block = 1,
    pause_ms = 0,
  }: { rounds: number; turns: number; warmUp: number; block?: number; pause_ms?: number },
  open: (round: number) => Promise<Race>,
): Promise<Times[]> {
  const times = new Map<string, number[][]>();
  for (let round = 0; round < rounds; round++) {
    const { contestants, close } = await open(round);
    doing(`round ${round + 1} of ${rounds} of ${contestants.map(({ name }) => name).join(", ")}`);
    const ofRound = contestants.map(({ name }) => {
      const list: number[] = [];
      times.set(name, [...(times.get(name) ?? []), list]);
      return list;
    });
    for (let turn = -warmUp; turn < turns; turn++) {
      for (const index of orderOf(turn + warmUp, contestants.length)) {
        for (let run = 0; run < block; run++) {
          if (pause_ms > 0 && turn >= 0) await new Promise((resolve) => setTimeout(resolve, pause_ms));
          const time_ms = await timeOf(contestants[index]);
          if (turn >= 0) ofRound[index]?.push(time_ms);
        }
      }
    }
    await close?.();
  }
  return [...times].map(([name, list]) => ({ name, rounds: list }));
}

async function timeOf(contestant: Contestant | undefined): Promise<number> {
  const start = performance.now();
  const own = await contestant?.run();
  return typeof own === "number" ? own : performance.now() - start;
}

/** A B, B A, A B, …; of more than two, another neighbour each time. */
function orderOf(turn: number, count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  let state = Math.imul(turn + 1, 0x9e3779b1) >>> 0;
  if (count === 2) return turn % 2 === 0 ? order : order.reverse();
  for (let end = count - 1; end > 0; end--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (end + 1));
    [order[end], order[other]] = [order[other] ?? 0, order[end] ?? 0];
  }
  return order;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
