import type { NoticeSettings } from "../config/notice-settings.ts";
import { eventAt } from "../events/event-at.ts";
import { idFromKey } from "../events/ids.ts";
import { LogError } from "../events/log-error.ts";
import { fromIsoTime, fromSqlTime, toIsoTime, toSqlTime } from "../events/time.ts";
import type { Draft } from "../events/types/index.ts";
import { errorMessage } from "../lib/error-message.ts";
import { shorten } from "../lib/shorten.ts";
import type { Project } from "../project/project.ts";
import { lastStart, toldAt, type WaitingNotice, waitingNotices } from "../projections/queries/notices.ts";
import { type Channel, ChannelError } from "./channel.ts";
import { type Candidate, dueOn } from "./due.ts";
import { type NoticeSurroundings, noticeOf } from "./notice.ts";

/** A channel as the worker tells it. */
export interface ToldChannel extends NoticeSurroundings {
  readonly name: string;
  readonly channel: Channel;
  readonly rules: NoticeSettings["rules"];
  /** Names this process in what it records. */
  readonly notifier: string;
}

/** What came of a turn. */
export interface Turn {
  /** When another one is worth it, in milliseconds from now; undefined: once something is recorded. */
  readonly again_ms: number | undefined;
  /** Why the channel did not take a message; it should be left alone for a while. */
  readonly failure?: ChannelError;
}

/** How long a message may take, in milliseconds. */
const SEND_MS = 30_000;
/** A message whose end is unknown is told again after so long by another process, in milliseconds. */
const STALE_MS = 120_000;
/** What was not taken for so long is given up, in milliseconds. */
const GIVE_UP_MS = 72 * 3_600_000;
const LONG_AGO = "1970-01-01 00:00:00.000000";
/** A loop's end is news for so long, in milliseconds. */
const LOOP_NEWS_MS = 24 * 3_600_000;
/** So many messages are on the way at once. */
const AT_ONCE = 4;
/** So many notices are in a digest, and messages in a turn, at most. */
const MOST = 50;

/** @returns what tells once what is due on a channel; it keeps what one turn must know of those before it */
export function tellingOn(project: Project, told: ToldChannel): (signal: AbortSignal) => Promise<Turn> {
  const { log, store } = project;
  const { environment } = store;
  const { name, channel, rules, notifier } = told;
  const times = new Map<number, { readonly id: string; readonly recorded_ms: number }>();
  const begun = new Map<string, { readonly at: string; readonly seen_ms: number }>();
  // What happened and could not be recorded yet: nobody may be told twice because a disk was full.
  const owed: Draft[] = [];
  let lastTold_ms: number | undefined;

  /** @throws LogError, ReadModelError: nothing is lost by that */
  async function turn(signal: AbortSignal): Promise<Turn> {
    await pay();
    const now_ms = environment.now() / 1_000;
    const waiting = await project.ask((tables) => waitingNotices(tables, name, loopNewsSince(now_ms)));
    const candidates: Known[] = [];
    for (const one of waiting) {
      if (isWithAnother(one)) continue;
      candidates.push({ ...one, ...(await timeOf(one.position)) });
    }
    lastTold_ms ??= await project.ask((tables) => fromSqlTime(lastStart(tables, name) ?? LONG_AGO) / 1_000);
    const { single, digest, next_ms } = dueOn(name, { rules }, candidates, { now_ms, lastTold_ms });
    const messages = await messagesOf(single, digest);
    for (let at = 0; at < messages.length && !signal.aborted; at += AT_ONCE) {
      const ends = await Promise.all(
        messages.slice(at, at + AT_ONCE).map((message) => tell(message, now_ms, signal)),
      );
      const failure = ends.find((end) => end !== undefined);
      if (failure) return { again_ms: 0, failure };
    }
    if (single.length + digest.length > messages.reduce((sum, { items }) => sum + items.length, 0))
      return { again_ms: 0 };
    const isStale = candidates.length < waiting.length ? STALE_MS : undefined;
    return { again_ms: next_ms === undefined ? isStale : next_ms - now_ms };
  }

  /** Another process has begun to tell it, and may still do so. */
  function isWithAnother({ tried }: WaitingNotice): boolean {
    if (tried?.state !== "sending" || tried.notifier === notifier) return false;
    // A process of this host that had this office has ended.
    if (!log.hosts) return false;
    const seen = begun.get(tried.notice);
    if (seen?.at === tried.changed_at) return environment.elapsed_ms() - seen.seen_ms < STALE_MS;
    begun.set(tried.notice, { at: tried.changed_at, seen_ms: environment.elapsed_ms() });
    return true;
  }

  async function timeOf(position: number) {
    const known = times.get(position);
    if (known) return known;
    const event = await eventAt(log, position);
    const time = { id: event?.id ?? "", recorded_ms: event ? fromIsoTime(event.recordedAt) / 1_000 : 0 };
    times.set(position, time);
    return time;
  }

  /** What was tried before stays together under its id; of the rest, what was tried least comes first. */
  async function messagesOf(single: readonly Known[], digest: readonly Known[]): Promise<Planned[]> {
    const tried = new Map<string, Planned>();
    const planned: Planned[] = [];
    const fresh: Known[] = [];
    for (const one of [...single, ...digest]) {
      if (!one.tried) {
        if (digest.includes(one)) fresh.push(one);
        else planned.push({ id: await idOf(one), items: [one], attempt: 1 });
        continue;
      }
      const before = tried.get(one.tried.notice);
      const items = [...(before?.items ?? []), one];
      tried.set(one.tried.notice, { id: one.tried.notice, items, attempt: one.tried.attempts + 1 });
    }
    const together = fresh.slice(0, MOST);
    if (together[0]) {
      const id =
        together.length === 1 ? together[0].id : idFromKey("digest", ...together.map(({ id }) => id));
      planned.unshift({ id, items: together, attempt: 1 });
    }
    return [...planned, ...[...tried.values()].sort((a, b) => a.attempt - b.attempt)].slice(0, MOST);
  }

  /** The event's own; a second kind of item of the same event is told under another one. */
  async function idOf({ id, kind, position }: Known): Promise<string> {
    const kinds = await project.ask((tables) => toldAt(tables, name, position));
    return kinds.length === 0 ? id : idFromKey("notice", id, kind);
  }

  /** @returns why it was not taken */
  async function tell(
    { id: notice, items, attempt }: Planned,
    now_ms: number,
    signal: AbortSignal,
  ): Promise<ChannelError | undefined> {
    const notices = await project.ask((tables) =>
      items.map((item) => noticeOf(tables, item, told)).filter((one) => one !== undefined),
    );
    // It was settled a moment ago.
    if (notices.length === 0) return undefined;
    const about = { notice, channel: name, attempt };
    const described = items.map(({ kind, position }) => ({ kind, position }));
    if (!(await claim(draft("notice.started", { ...about, items: described, notifier }), attempt)))
      return undefined;
    lastTold_ms = now_ms;
    try {
      await channel.send({ id: notice, notices }, AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]));
      owed.push(draft("notice.sent", about));
      await pay();
      return undefined;
    } catch (error) {
      if (error instanceof LogError || signal.aborted) throw error;
      const failure =
        error instanceof ChannelError ? error : new ChannelError(errorMessage(error), { cause: error });
      const first = items[0]?.tried?.started_at;
      const isOld = first !== undefined && now_ms - fromSqlTime(first) / 1_000 > GIVE_UP_MS;
      const words = shorten(failure.message.replace(/\s+/g, " ").trim() || "no reason was given", 400);
      owed.push(draft("notice.failed", { ...about, error: words, final: failure.isFinal || isOld }));
      await pay();
      return failure;
    }
  }

  /** @returns false: another process was first */
  async function claim(started: Draft, attempt: number): Promise<boolean> {
    try {
      await log.append([started]);
      return true;
    } catch (error) {
      if (error instanceof LogError && error.code === "id_conflict" && attempt > 0) return false;
      throw error;
    }
  }

  async function pay(): Promise<void> {
    for (let first = owed[0]; first; first = owed[0]) {
      await log.append([first]);
      owed.shift();
    }
  }

  return turn;
}

/** The end of a loop before it is no news, in the read model's form. */
export function loopNewsSince(now_ms: number): string {
  return toSqlTime(toIsoTime((now_ms - LOOP_NEWS_MS) * 1_000));
}

type Known = Candidate & WaitingNotice & { readonly id: string };

interface Planned {
  readonly id: string;
  readonly items: readonly Known[];
  readonly attempt: number;
}

type NoticeEvent = "notice.started" | "notice.sent" | "notice.failed";

/** The same event each time, so that of two processes one alone begins an attempt, and nothing is recorded twice. */
function draft<Type extends NoticeEvent>(
  type: Type,
  payload: Extract<Draft, { type: Type }>["payload"],
): Draft {
  const { notice, channel, attempt } = payload;
  const id = idFromKey(type, notice, channel, String(attempt));
  return { id, type, actor: "signalbox", payload } as Draft;
}
