import { HUMAN } from "../../events/actors.ts";
import type { TaskStatus } from "../../events/types/fields.ts";
import { counted } from "../../lib/readable.ts";

/** What sessions in a row did, by the policy for which a human is asked about them. */
export const STALL_WORDS = { no_progress: "did not get on", partials: "ended with partial" } as const;

/** What went wrong with a task, or keeps it waiting. */
export interface TaskTrouble {
  readonly status: TaskStatus;
  /** Who set the status by hand; null where a rule gave it. */
  readonly set_by: string | null;
  /** The gates that are escalated, aborted or skipped, with their failures in a row. */
  readonly gates: readonly TroubledGate[];
  /**
   * Where the stuck count made it fail: of each counted session, the last first, what its agent said;
   * null where it said nothing.
   */
  readonly stuck: readonly (string | null)[];
  readonly open_questions: number;
  /** The open blockers: the task that each is linked to, or else what it says is missing. */
  readonly blockers: readonly { readonly task: number | null; readonly on: string }[];
  readonly awaits_acceptance: boolean;
  /** What sessions in a row did that make it wait; null where none do. */
  readonly stalled: string | null;
  /** Sessions in a row that were cancelled, where they hold the task; else 0. */
  readonly held_after: number;
  /** Over the whole life of the task. */
  readonly stuck_sessions: number;
  readonly failed_attempts: number;
}

interface TroubledGate {
  readonly gate: number;
  readonly state: "escalated" | "aborted" | "skipped";
  /** How each of its last attempts in a row failed, such as `exited 1`. */
  readonly failures: readonly string[];
  /** Who aborted or skipped it; null where that is not known. */
  readonly by: string | null;
}

/**
 * Why a task is in its state, in one sentence; null where nothing is wrong with it. The texts of
 * agents in it are as they came.
 */
export function inShort(trouble: TaskTrouble): string | null {
  const { status, set_by, held_after } = trouble;
  const byHand = set_by === null ? [] : [`${personWords(set_by)} set the status`];
  switch (status) {
    case "failed":
      return sentence("Failed", [...byHand, ...(set_by === null ? failureWords(trouble) : [])], "; ");
    case "needs_input":
      return sentence("Needs input", [...waitWords(trouble), ...byHand], ", ");
    case "blocked":
      return sentence("Blocked", [...blockerWords(trouble), ...byHand], ", ");
    case "done":
      return doneWords(trouble);
    case "pending":
      return held_after === 0 ? null : `Held: ${held_after} sessions in a row were cancelled`;
    default:
      return null;
  }
}

function sentence(status: string, parts: readonly string[], between: string): string {
  return parts.length === 0 ? status : `${status}: ${parts.join(between)}`;
}

function failureWords({ gates, stuck }: TaskTrouble): string[] {
  const aborted = gates
    .filter(({ state }) => state === "aborted")
    .map((gate) => `${gateWords(gate)}; ${personWords(gate.by)} aborted it`);
  if (stuck.length === 0) return aborted;
  const said = stuck.slice(0, SAID).map((reason) => reason ?? "ended without a report");
  const times = stuck.length === 1 ? "stuck once" : `stuck ${stuck.length} times in a row`;
  return [`${times}: ${said.join(", ")}${stuck.length > SAID ? ", …" : ""}`, ...aborted];
}

function waitWords({ gates, open_questions, awaits_acceptance, stalled }: TaskTrouble): string[] {
  return [
    ...(stalled === null ? [] : [stalled]),
    ...(awaits_acceptance ? ["the finished work waits for acceptance"] : []),
    ...(open_questions > 0 ? [counted(open_questions, "question")] : []),
    ...gates.filter(({ state }) => state === "escalated").map(({ gate }) => `gate ${gate} escalated`),
  ];
}

function blockerWords({ blockers }: TaskTrouble): string[] {
  const linked = [...new Set(blockers.flatMap(({ task }) => (task === null ? [] : [`#${task}`])))];
  const others = blockers.filter(({ task }) => task === null).map(({ on }) => `“${on}”`);
  return [...linked, ...others].map((what, nth) => (nth === 0 ? `waits for ${what}` : what));
}

function doneWords({ set_by, stuck_sessions, failed_attempts, gates }: TaskTrouble): string | null {
  const after = [
    ...(stuck_sessions > 0 ? [counted(stuck_sessions, "stuck session")] : []),
    ...(failed_attempts > 0 ? [counted(failed_attempts, "failed gate attempt")] : []),
  ].join(" and ");
  const acts = [
    ...gates
      .filter(({ state }) => state === "skipped")
      .map(({ gate, by }) => `${personWords(by)} skipped gate ${gate}`),
    ...(set_by === null ? [] : [`${personWords(set_by)} set the status`]),
  ];
  if (after === "" && acts.length === 0) return null;
  return sentence(after === "" ? "Done" : `Done after ${after}`, acts, ", ");
}

/** `gate 1 exited 1 five times`, or where the attempts failed differently `gate 1 failed twice, at last it timed out`. */
function gateWords({ gate, failures }: TroubledGate): string {
  const [last] = failures;
  if (last === undefined) return `gate ${gate} failed`;
  const isSame = failures.every((failure) => failure === last);
  const times = failures.length === 1 ? "" : ` ${timesWords(failures.length)}`;
  return isSame ? `gate ${gate} ${last}${times}` : `gate ${gate} failed${times}, at last it ${last}`;
}

function timesWords(count: number): string {
  return WORDS[count] ?? `${count.toLocaleString("en")} times`;
}

const WORDS: readonly (string | undefined)[] = [
  undefined,
  "once",
  "twice",
  ..."three four five six seven eight nine ten".split(" ").map((word) => `${word} times`),
];

/** How many of the stuck sessions are quoted. */
const SAID = 3;

function personWords(actor: string | null): string {
  return actor === null || actor === HUMAN ? "a person" : actor;
}
