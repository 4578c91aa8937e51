import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/**
 * A promise that is tried at many points: a kill at one system call, an image of a disk after one power cut. The
 * points are numbered 0, 1, 2, …, and what is done at a point follows from its number alone, so that a failure names
 * the point to try again (`SIGNALBOX_POINT=17`).
 *
 * `npm run test:all` tries the small number of points: each kind once or twice. `npm run test:long -- LINE` tries the large one, keeps what it has
 * reached in `.long/LINE.json`, and goes on from there when it is started again.
 */
export interface Campaign<Context> {
  /** The name for `npm run test:long`: `kill-syscall`. */
  readonly line: string;
  /** The promise, as test/promises.md quotes it; the name of the test. */
  readonly promise: string;
  readonly small: number;
  readonly large: number;
  /** Programs and rights without which the test is skipped (`test/support/needs.ts`). */
  readonly needs?: readonly ("strace" | "root")[];
  /** How many points are tried at the same time; 1 unless told. */
  readonly atOnce?: number;
  /** What all points share, made once: bundled scripts, a recorded trace. */
  open(): Promise<Context> | Context;
  close?(context: Context): Promise<void> | void;
  /**
   * Tries one point; throws where the promise is broken. The figures that it returns ({} for none) are added up over all points, and
   * reach `conclude` and `.long/LINE.json`.
   */
  point(number: number, context: Context): Promise<Figures> | Figures;
  /** Judges the sums of all figures, where a promise is about many points together. */
  conclude?(figures: Figures, points: number): void;
}

export type Figures = Readonly<Record<string, number>>;

export function campaign<Context>(campaign: Campaign<Context>): void {
  const asked = process.env.SIGNALBOX_LONG;
  const { long, points } =
    asked === campaign.line
      ? { long: true, points: campaign.large }
      : { long: false, points: campaign.small };
  test.runIf(asked === undefined || long)(
    campaign.promise,
    { timeout: long ? 0 : 600_000, tags: [...(campaign.needs ?? [])] },
    async () => {
      await tryPoints(campaign, points, long ? statePath(campaign.line) : undefined);
    },
  );
}

/** What has been reached of a line. */
interface State {
  readonly line: string;
  readonly points: number;
  /** Points tried so far; the next one has this number. */
  done: number;
  readonly failures: { readonly point: number; readonly reason: string }[];
  figures: Record<string, number>;
  /** Seconds spent, over all runs. */
  seconds: number;
}

/** More failures than this end a long run: something is broken, and more of the same says nothing new. */
const FAILURES_LIMIT = 20;

async function tryPoints<Context>(
  { line, atOnce = 1, open, close, point, conclude }: Campaign<Context>,
  points: number,
  path: string | undefined,
): Promise<void> {
  const state = (path && readState(path, points)) || {
    line,
    points,
    done: 0,
    failures: [],
    figures: {},
    seconds: 0,
  };
  const only = process.env.SIGNALBOX_POINT;
  const numbers = only === undefined ? range(state.done, points) : [Number(only)];
  const context = await open();
  try {
    let last = performance.now();
    for (let next = 0; next < numbers.length; next += atOnce) {
      const group = numbers.slice(next, next + atOnce);
      const outcomes = await Promise.allSettled(group.map(async (number) => point(number, context)));
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === "fulfilled") addUp(state.figures, outcome.value);
        else
          state.failures.push({
            point: group[index] ?? 0,
            reason: String(outcome.reason?.stack ?? outcome.reason),
          });
      }
      state.done += group.length;
      state.seconds += (performance.now() - last) / 1_000;
      last = performance.now();
      if (path) writeState(path, state);
      if (state.failures.length > (path ? FAILURES_LIMIT : 0)) break;
    }
  } finally {
    await close?.(context);
  }
  const [failure] = state.failures;
  if (failure) {
    throw new Error(
      `${line}: ${state.failures.length} of ${state.done} points failed, first point ${failure.point}: ${failure.reason}`,
    );
  }
  if (only === undefined) conclude?.(state.figures, state.done);
}

function addUp(sums: Record<string, number>, figures: Figures): void {
  for (const [name, value] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + value;
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

const statePath = (line: string) => packagePath(`.long/${line}.json`);

function readState(path: string, points: number): State | undefined {
  try {
    const state: State = JSON.parse(readFileSync(path, "utf8"));
    return state.points === points && state.done < points && state.failures.length === 0 ? state : undefined;
  } catch {
    return undefined;
  }
}

function writeState(path: string, state: State): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(state, undefined, 2));
  renameSync(`${path}.new`, path);
}
