import { type NoticeRule, type NoticeSettings, noticeKinds } from "../../config/notice-settings.ts";

/** What is known of something that a channel is to tell. */
export interface Candidate {
  readonly kind: (typeof noticeKinds)[number];
  readonly position: number;
  /** When it was recorded, or first seen where that is earlier by the own clock; in milliseconds since 1970. */
  readonly recorded_ms: number;
}

/** What a channel tells now. */
export interface Due<C extends Candidate> {
  /** One message for each. */
  readonly single: readonly C[];
  /** All of them in one message. */
  readonly digest: readonly C[];
  /** When to look again if nothing is recorded until then, in milliseconds since 1970; undefined: there is nothing to wait for. */
  readonly next_ms: number | undefined;
}

/**
 * What the rules let a channel tell now. Of several rules that name the channel and a notice's kind, the first one holds.
 *
 * @param at when: `now_ms`, and when the channel last took a digest, in milliseconds since 1970
 */
export function dueOn<C extends Candidate>(
  channel: string,
  { rules }: Pick<NoticeSettings, "rules">,
  candidates: readonly C[],
  { now_ms, lastDigest_ms = 0 }: { readonly now_ms: number; readonly lastDigest_ms?: number | undefined },
): Due<C> {
  const single: C[] = [];
  const digest: C[] = [];
  let next_ms: number | undefined;
  for (const one of candidates) {
    const rule = ruleFor(channel, one.kind, rules);
    if (!rule) continue;
    const asked_ms = one.recorded_ms + rule.after_s * 1_000;
    const digest_ms = rule.digest_s === 0 ? 0 : lastDigest_ms + rule.digest_s * 1_000;
    const due_ms = afterQuiet(rule, Math.max(asked_ms, digest_ms, now_ms));
    if (due_ms > now_ms) next_ms = Math.min(next_ms ?? due_ms, due_ms);
    else (rule.digest_s === 0 ? single : digest).push(one);
  }
  return { single, digest, next_ms };
}

function ruleFor(
  channel: string,
  kind: Candidate["kind"],
  rules: readonly NoticeRule[] | undefined,
): NoticeRule | undefined {
  if (!rules) return { channels: [channel], after_s: 0, digest_s: 0 };
  return rules.find(
    ({ channels, kinds = noticeKinds }) => channels.includes(channel) && kinds.includes(kind),
  );
}

/** The same time, or the end of the quiet hours in which it lies, to the minute. */
function afterQuiet({ quiet }: NoticeRule, time_ms: number): number {
  if (!quiet) return time_ms;
  const minute = minuteOfDay(time_ms, quiet.zone);
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return time_ms;
  const left = (to - minute + DAY_MINUTES) % DAY_MINUTES;
  return Math.floor(time_ms / 60_000) * 60_000 + left * 60_000;
}

const DAY_MINUTES = 24 * 60;

function minuteOfDay(time_ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(time_ms);
  return minutesOf(parts);
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}
