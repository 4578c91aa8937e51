import { byWhom } from "../../events/types/via.ts";
import type { CitedEvent } from "../../history/why/cited-events.ts";
import type { Rule } from "../../history/why/rules.ts";
import type { ExplainedChange } from "../../history/why/status.ts";
import type { TaskReasons } from "../../history/why/task.ts";
import { pc, quoteLine } from "../../lib/terminal/output.ts";
import { toSeconds } from "../../lib/time.ts";

/** Why a task is as it is, for people: the present first, then back, each with the events that a rule looked at. */
export function taskLines(reasons: TaskReasons): string[] {
  const { id, title, status, ready, in_short, at, because, next, gates, stuck, dependencies, deleted } =
    reasons;
  const find = finderOf(reasons.events);
  const say = sayOnce();
  const is =
    status === null ? `was deleted at position ${deleted}` : `is ${status}${ready ? " (ready)" : ""}`;
  return [
    `${pc.bold(`#${id}${title === null ? "" : ` ${quoteLine(title, 100)}`}`)} ${is}, as of position ${at}`,
    ...(in_short === null ? [] : [quoteLine(in_short, 400)]),
    ...heading("because", [
      ...stillLines(reasons, say, find),
      ...because.flatMap((reason) => changeLines(reason, say, find)),
    ]),
    ...heading(
      "next",
      next.flatMap(({ what, command, events }) => [
        `  ${what}${command === null ? "" : `  ${pc.dim(`(${command})`)}`}`,
        ...eventLines(events, find),
      ]),
    ),
    ...heading(
      "gates",
      gates.flatMap(({ gate, command, state, attempts, max_attempts, events }) => [
        `  gate ${gate} is ${state}, ${attempts} of ${max_attempts} attempts failed: ${quoteLine(command)}`,
        ...eventLines(events, find),
      ]),
    ),
    ...stuckLines(stuck, find),
    ...heading(
      "depends on",
      dependencies.flatMap(({ task, status: theirs, open, declared, events }) => [
        `  #${task} is ${theirs}${open ? "" : ", so it no longer waits for that"}${declared ? "" : " (because of a blocker)"}`,
        ...eventLines(events, find),
      ]),
    ),
  ];
}

function stuckLines({ count, limit, limit_set, sessions }: TaskReasons["stuck"], find: Finder): string[] {
  if (count === 0) return [];
  const set = limit_set === null ? "" : `, set at position ${limit_set}`;
  const inferred = sessions.filter((session) => session.inferred).length;
  const nobodySaid = inferred === 0 ? "" : `, ${inferred} of them inferred`;
  return heading("stuck", [
    `  ${count} since it was last done or set by hand${nobodySaid}; at ${limit} it fails${set}`,
    ...eventLines(
      sessions.map(({ event }) => event),
      find,
    ),
  ]);
}

function stillLines({ id, status, still }: TaskReasons, say: Speaker, find: Finder): string[] {
  if (!still) return [];
  const { rule, means, causes } = still;
  return [
    `  #${id} ${pc.bold(`still ${status}`)} by ${pc.cyan(rule)}`,
    ...(means ? say(means, "    ") : []),
    ...eventLines(causes, find),
  ];
}

/** A change of a status, the rules that led to it, and what they looked at. */
export function changeLines(
  { task, from, to, rule, means, after, causes, counted }: ExplainedChange,
  say: Speaker,
  find: Finder,
): string[] {
  const change = from === null ? `added as ${to}` : `${from} → ${to}`;
  return [
    `  #${task} ${pc.bold(change)} by ${pc.cyan(rule)}`,
    ...[...after, ...(means ? [means] : [])].flatMap((one) => say(one, "    ")),
    ...eventLines(causes, find),
    ...(counted.length > 0 ? [`    Counted as stuck: ${counted.length}`, ...eventLines(counted, find)] : []),
  ];
}

/** Says what a rule says, and where it stands. */
export type Speaker = (rule: Rule, indent: string) => string[];

/** Says each sentence once: a task with many sessions meets the same rules again and again. */
export function sayOnce(): Speaker {
  const said = new Set<string>();
  return ({ section, step, sentence }, indent) => {
    if (said.has(sentence)) return [];
    said.add(sentence);
    return [
      `${indent}${sentence} ${pc.dim(`(rules.md, ${section}${step === undefined ? "" : `: ${step}`})`)}`,
    ];
  };
}

/** Finds an event by its position. */
export type Finder = (position: number) => CitedEvent | undefined;

export function finderOf(events: readonly CitedEvent[]): Finder {
  const byPosition = new Map(events.map((cited) => [cited.position, cited]));
  return (position) => byPosition.get(position);
}

/** Each event with what it says, who wrote it, when, about which task, and in which session. */
export function eventLines(positions: readonly number[], find: Finder): string[] {
  return positions.flatMap((position) => {
    const cited = find(position);
    if (!cited) return [];
    const { time, task, session, text } = cited;
    const by = byWhom(cited);
    const who = session === null ? by : `${by}, ${quoteLine(session, 24)}`;
    const when = toSeconds(time);
    const about = (task === null ? "" : `#${task}`).padEnd(4);
    return [
      `    ${String(position).padStart(6)}  ${pc.dim(when)}  ${about}  ${who.padEnd(14)}  ${quoteLine(text, 100)}`,
    ];
  });
}

export function heading(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", pc.dim(title), ...lines];
}
