import { clockLength, dollars } from "../../lib/readable.ts";
import { widthOf } from "../../lib/terminal/columns.ts";
import { quoteLine } from "../../lib/terminal/output.ts";
import { fromIsoTime, type Microseconds } from "../../lib/time.ts";
import { phaseLooks } from "../../queries/labels/phases.ts";
import type { RunningSession } from "../../queries/running-sessions.ts";
import { cell, type Line, lineWidth, type Span, span, spread } from "./line.ts";

/**
 * The sessions that run, in at most `room` lines: two for each where that fits, else one. What is narrower than 60
 * columns goes without the cost, then without the bar of its phases.
 */
export function sessionLines(
  sessions: readonly RunningSession[],
  { width, room, now }: { readonly width: number; readonly room: number; readonly now: Microseconds },
): Line[] {
  if (sessions.length === 0) return [[span("No session is running.", "dim")]].slice(0, room);
  const tall = width >= ONE_LINE && sessions.length * 2 <= room;
  const shown = tall || sessions.length <= room ? sessions : sessions.slice(0, Math.max(0, room - 1));
  const lines = shown.flatMap((session) =>
    tall
      ? [headLine(session, width, now), lastLine(session, width)]
      : [width < ONE_LINE ? narrowLine(session, now) : headLine(session, width, now)],
  );
  const more = sessions.length - shown.length;
  if (more > 0) lines.push([span(`… and ${more} more: signalbox session list --open`, "dim")]);
  return lines.slice(0, room);
}

const ONE_LINE = 40;
const WITH_BAR = 50;
const WITH_COST = 60;
const BAR = 12;

function duration(from: string, now: Microseconds): string {
  return clockLength((now - fromIsoTime(from)) / 1_000);
}

function headLine(session: RunningSession, width: number, now: Microseconds): Line {
  const right: Span[] = [];
  if (width >= WITH_BAR) right.push(span(" "), ...phaseBar(session, now));
  if (width >= WITH_COST) right.push(span(` ${dollars(session.cost_micro_usd).padStart(7)}`));
  const rightWidth = (width >= WITH_BAR ? BAR + 1 : 0) + (width >= WITH_COST ? 8 : 0);
  const { symbol, style } = phaseLooks[session.state];
  const time = duration(session.entered_at, now).padStart(7);
  const title =
    session.task === null ? "no task" : `#${session.task} ${quoteLine(session.task_title, 1_000)}`;
  return [
    span(`${symbol} ${session.state.padEnd(12)}`, style),
    span(`${time}  `),
    span(cell(title, Math.max(0, width - 23 - rightWidth)), "bold"),
    ...right,
  ];
}

/** What it said last, and with what it works. */
function lastLine(session: RunningSession, width: number): Line {
  const { last_verb, last_text, model, agent, turns, irregular, driver } = session;
  const said: Span[] =
    last_verb === null
      ? [span("  no signal yet", "dim")]
      : [span(`  ${last_verb} `, "cyan"), span(quoteLine(last_text ?? "", 1_000))];
  const about = [
    model ?? agent,
    turns === null ? null : `${turns} turns`,
    irregular > 0 ? `${irregular} irregular` : null,
    driver === null ? null : `by ${driver}`,
  ].filter((part) => part !== null);
  const right =
    width >= WITH_COST && about.length > 0 ? [span(` ${quoteLine(about.join(" · "), 40)}`, "dim")] : [];
  const room = width - lineWidth(right);
  const left = lineWidth(said) < room ? said : shortened(said, room);
  return spread(left, right, width);
}

function shortened([verb, text]: readonly Span[], room: number): Line {
  if (!verb) return [];
  return [verb, span(cell(text?.text ?? "", Math.max(0, room - widthOf(verb.text) - 1)))];
}

function narrowLine({ state, entered_at, task, task_title }: RunningSession, now: Microseconds): Line {
  const { symbol, style } = phaseLooks[state];
  return [
    span(`${symbol} ${state} `, style),
    span(
      `${duration(entered_at, now)} ${task === null ? "no task" : `#${task} ${quoteLine(task_title, 100)}`}`,
    ),
  ];
}

/** The phases since the start, each symbol for a twelfth of the time: it reads without colours too. */
function phaseBar({ phases }: RunningSession, now: Microseconds): Span[] {
  const begun = phases.map(({ state, entered_at }) => ({ state, at: fromIsoTime(entered_at) }));
  const start = begun[0]?.at ?? now;
  return Array.from({ length: BAR }, (_, place) => {
    const moment = start + ((now - start) * (place + 0.5)) / BAR;
    const { symbol, style } = phaseLooks[begun.findLast(({ at }) => at <= moment)?.state ?? "idle"];
    return span(symbol, style);
  });
}
