import { counted, dollars } from "../../lib/readable.ts";
import { fromSqlTime, type Microseconds } from "../../lib/time.ts";
import { oneLine, visible } from "../../lib/visible.ts";
import type { RunningLoop, StoppedLoop } from "../loops.ts";
import type { WorkPause } from "../pause.ts";
import { PAUSES } from "./pauses.ts";

/** What is known of a loop's process, by its signs of life; `unknown`: nobody here can tell. */
export type LoopSign = "alive" | "died" | "host_lost" | "host_silent" | "unknown";

/** A loop that has not said that it stopped, and its sign of life. */
export type SeenLoop = RunningLoop & { readonly sign: LoopSign };

/** The look of each state of a loop, in the terminal and on the page. */
export const LOOP_LOOKS = {
  running: { symbol: "▶", ascii: ">", word: "running" },
  stopping: { symbol: "▣", ascii: "#", word: "stopping" },
  paused: { symbol: "‖", ascii: "=", word: "paused" },
  waiting: { symbol: "◇", ascii: "~", word: "waiting" },
  silent: { symbol: "?", ascii: "?", word: "silent" },
  stopped: { symbol: "■", ascii: "#", word: "stopped" },
} as const;

/** What loops do, for people. */
export interface LoopState {
  readonly state: keyof typeof LOOP_LOOKS;
  /** Until when it waits, as the tables have it; null where nobody knows. */
  readonly until: string | null;
  /** What follows the word and that time; empty where there is nothing to add. */
  readonly why: string;
}

/** What decides the state of loops, besides their own rows. */
export interface Around {
  readonly paused: WorkPause | null;
  /** How many tasks could be started. */
  readonly ready: number;
  readonly now: Microseconds;
}

/** The loops of a project as people see them. */
export interface LoopsView {
  /** Those that run, in the order in which they started. */
  readonly live: readonly (SeenLoop & LoopState)[];
  /** The one that ended last, by its own word or by its death; null if none has. */
  readonly ended: { readonly driver: string; readonly at: string | null; readonly why: string } | null;
  /** All of them in one state. */
  readonly all: LoopState;
}

/** @param last the loop that said last that it stopped */
export function viewLoops(
  { loops, last }: { readonly loops: readonly SeenLoop[]; readonly last: StoppedLoop | null },
  around: Around,
): LoopsView {
  const live = loops
    .filter(({ sign }) => !(sign in DEATHS))
    .map((loop) => ({ ...loop, ...stateOf(loop, around) }));
  const dead = loops.filter(({ sign }) => sign in DEATHS).at(-1);
  const ended =
    dead && dead.position > (last?.stopped_position ?? 0)
      ? { driver: dead.driver, at: null, why: DEATHS[dead.sign] ?? "" }
      : last && { driver: last.driver, at: last.stopped_at, why: last.reason };
  return { live, ended, all: stateOfAll(live, ended, around) };
}

/** Why a loop that said nothing has ended. */
const DEATHS: { readonly [Sign in LoopSign]?: string } = {
  died: "its process died",
  host_lost: "its host was declared lost",
};

function stateOf(
  { sign, running, jobs, stop_asked_by: asker, waits_for, waits_until, waits_reason }: SeenLoop,
  { paused, ready, now }: Around,
): LoopState {
  if (sign === "host_silent") return of("silent", "its host gives no sign of life");
  const still = running === 0 ? "" : `${counted(running, "session")} still running`;
  if (asker !== null) return of("stopping", inOne(still, `asked by ${visible(asker)}`));
  if (paused) return of("paused", inOne(pausedBy(paused), still));
  if (waits_for !== null && waits_until !== null && fromSqlTime(waits_until) > now)
    return of("waiting", `${PAUSES[waits_for]}: ${quoted(waits_reason ?? "")}`, waits_until);
  if (running > 0) return of("running", `${running} of ${counted(jobs, "session")}`);
  return ready === 0 ? of("waiting", "for a task to become ready") : of("running", "starting a session");
}

function stateOfAll(live: LoopsView["live"], ended: LoopsView["ended"], { paused }: Around): LoopState {
  const [one, ...more] = live;
  if (one && more.length === 0) return { state: one.state, until: one.until, why: one.why };
  if (paused) return of("paused", pausedBy(paused));
  if (!one) return of("stopped", ended ? quoted(ended.why) : "no loop has run yet");
  const counts = STATES.map((state) => ({
    state,
    count: live.filter((loop) => loop.state === state).length,
  }));
  const present = counts.filter(({ count }) => count > 0);
  const each = present.map(({ state, count }) => `${count} ${LOOP_LOOKS[state].word}`);
  return of(present[0]?.state ?? "running", `${counted(live.length, "loop")}: ${each.join(", ")}`);
}

/** The state that comes first stands for all. */
const STATES = ["running", "stopping", "paused", "waiting", "silent", "stopped"] as const;

function of(state: LoopState["state"], why: string, until: string | null = null): LoopState {
  return { state, why, until };
}

function pausedBy({ actor, reason }: WorkPause): string {
  return `by ${visible(actor)}${reason === null ? "" : `: ${quoted(reason)}`}`;
}

function quoted(text: string): string {
  return visible(oneLine(text));
}

function inOne(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

/**
 * A state in words: `waiting until TIME for its usage limit to reset`, `running · 1 of 2 sessions`.
 *
 * @param untilWords says the time until which it waits
 */
export function inLoopWords({ state, until, why }: LoopState, untilWords: (until: string) => string): string {
  const word = until === null ? LOOP_LOOKS[state].word : `${LOOP_LOOKS[state].word} ${untilWords(until)}`;
  return why === "" ? word : `${word}${followed(state)}${why}`;
}

/** What stands between the word and its reason. */
export function followed(state: LoopState["state"]): string {
  return state === "waiting" || state === "paused" ? " " : " · ";
}

type Budgeted = Pick<
  RunningLoop,
  "budget_micro_usd" | "budget_tokens" | "cost_micro_usd" | "tokens" | "unknown"
>;

/** What is left of a loop's budgets: `$3.20 of $5.00 left`. */
export function budgetWords({
  budget_micro_usd: usd,
  budget_tokens: tokens,
  cost_micro_usd: cost,
  tokens: used,
  unknown,
}: Budgeted): string {
  const parts: string[] = [];
  if (usd !== null) parts.push(`${dollars(Math.max(0, usd - (cost ?? 0)))} of ${dollars(usd)} left`);
  if (usd !== null && unknown > 0) parts.push(`without ${counted(unknown, "session")} of unknown cost`);
  if (tokens !== null) {
    const left = Math.max(0, tokens - (used ?? 0));
    parts.push(`${left.toLocaleString("en")} of ${counted(tokens, "token")} left`);
  }
  return parts.join(", ") || NO_BUDGET;
}

/** The budgets of a loop that is to start: `budget $5.00`. */
export function limitWords({
  usd,
  tokens,
}: {
  readonly usd?: number | undefined;
  readonly tokens?: number | undefined;
}): string {
  const parts = [
    ...(usd === undefined ? [] : [dollars(usd * 1_000_000)]),
    ...(tokens === undefined ? [] : [counted(tokens, "token")]),
  ];
  return parts.length === 0 ? NO_BUDGET : `budget ${parts.join(", ")}`;
}

const NO_BUDGET = "no budget set";
