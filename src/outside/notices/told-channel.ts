import type { Project } from "../../api/project.ts";
import type { NoticeSettings } from "../../config/notice-settings.ts";
import { eventAt } from "../../events/event-at.ts";
import type { Draft } from "../../events/types/index.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { idFromKey } from "../../lib/ids.ts";
import { LogError } from "../../lib/log-error.ts";
import { shorten } from "../../lib/shorten.ts";
import { fromIsoTime, fromSqlTime, toIsoTime, toSqlTime } from "../../lib/time.ts";
import { turns } from "../../lib/turns.ts";
import { toldAt, type WaitingNotice, waitingNotices } from "../../queries/notices.ts";
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
  /** How many messages the channel took. */
  readonly sent: number;
  /** Why the channel did not take a message; it should be left alone for a while. */
  readonly failure?: ChannelError;
}

/** How long a message may take, in milliseconds. */
const SEND_MS = 30_000;
/** A message whose end is unknown is told again after so long by another process, in milliseconds. */
const STALE_MS = 120_000;
/** What was not taken for so long is given up, in milliseconds. */
const GIVE_UP_MS = 72 * 3_600_000;
/** A loop's end is news for so long, in milliseconds. */
const LOOP_NEWS_MS = 24 * 3_600_000;
/** So many messages are on the way at once. */
const AT_ONCE = 4;
/** So many messages are in a turn at most, and notices in a digest. */
const MOST = 50;
const MOST_IN_DIGEST = 200;
/** What is old is given up only after so many tries. */
const LEAST_TRIES = 5;

/** @returns what tells once what is due on a channel; it keeps what one turn must know of those before it */
export function tellingOn(project: Project, told: ToldChannel): (signal: AbortSignal) => Promise<Turn> {
  const { log, store } = project;
  const { environment } = store;
  const { name, channel, rules, notifier } = told;
  const times = new Map<number, { readonly id: string; readonly recorded_ms: number }>();
  const begun = new Map<string, { readonly at: string; readonly seen_ms: number }>();
  // What happened and could not be recorded yet: nobody may be told twice because a disk was full.
  const owed: Draft[] = [];
  const inTurns = turns();
  let lastDigest_ms = 0;

  /** @throws LogError, ReadModelError: nothing is lost by that */
  async function turn(signal: AbortSignal): Promise<Turn> {
    await pay();
    const now_ms = environment.now() / 1_000;
    const waiting = await project.ask((tables) => waitingNotices(tables, name, loopNewsSince(now_ms)));
    const candidates: Known[] = [];
    for (const one of waiting) {
      if (isWithAnother(one)) continue;
      candidates.push({ ...one, ...(await timeOf(one.position, now_ms)) });
    }
    const { single, digest, next_ms } = dueOn(name, { rules }, candidates, { now_ms, lastDigest_ms });
    const messages = await messagesOf(single, digest, candidates);
    let sent = 0;
    for (let at = 0; at < messages.length && !signal.aborted; at += AT_ONCE) {
      const some = messages.slice(at, at + AT_ONCE);
      const ends = await Promise.all(some.map((message) => tell(message, now_ms)));
      sent += ends.filter((end) => end === "sent").length;
      const failure = ends.find((end) => end instanceof ChannelError);
      if (failure) return { again_ms: 0, failure, sent };
    }
    if (single.length + digest.length > messages.reduce((sum, { items }) => sum + items.length, 0))
      return { again_ms: 0, sent };
    const waits = [
      ...(next_ms === undefined ? [] : [next_ms - now_ms]),
      ...(candidates.length < waiting.length ? [STALE_MS] : []),
    ];
    return { again_ms: waits.length > 0 ? Math.min(...waits) : undefined, sent };
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

  /** A clock that is behind the log's, or was set, must not make it wait for longer than its rule says. */
  async function timeOf(position: number, now_ms: number) {
    const known = times.get(position);
    if (known) return known;
    const event = await eventAt(log, position);
    const recorded_ms = event ? fromIsoTime(event.recordedAt) / 1_000 : 0;
    const time = { id: event?.id ?? "", recorded_ms: Math.min(recorded_ms, now_ms) };
    times.set(position, time);
    return time;
  }

  /** What was tried before stays together under its id; of the rest, what was tried least comes first. */
  async function messagesOf(
    single: readonly Known[],
    digest: readonly Known[],
    candidates: readonly Known[],
  ): Promise<Planned[]> {
    const due = [...single, ...digest];
    const planned = new Map<string, Planned>();
    const fresh = digest.filter(({ tried }) => !tried).slice(0, MOST_IN_DIGEST);
    if (fresh.length > 1) {
      const id = idFromKey("digest", ...fresh.map((one) => one.id));
      planned.set(id, { id, items: fresh, attempt: 1, isDigest: true });
    }
    for (const one of fresh.length === 1 ? [...single, ...fresh] : single) {
      if (one.tried) continue;
      const id = await idOf(one, planned);
      planned.set(id, { id, items: [one], attempt: 1, isDigest: digest.includes(one) });
    }
    for (const { tried } of due) {
      if (!tried) continue;
      // Also those whose hour has not come: what a message tells is told with it.
      const items = candidates.filter((other) => other.tried?.notice === tried.notice);
      const isDigest = items.some((item) => digest.includes(item));
      planned.set(tried.notice, { id: tried.notice, items, attempt: tried.attempts + 1, isDigest });
    }
    return [...planned.values()].sort((a, b) => a.attempt - b.attempt).slice(0, MOST);
  }

  /** The event's own; a second kind of item of the same event is told under another one. */
  async function idOf({ id, kind, position }: Known, planned: ReadonlyMap<string, unknown>): Promise<string> {
    const kinds = await project.ask((tables) => toldAt(tables, name, position));
    return kinds.length === 0 && !planned.has(id) ? id : idFromKey("notice", id, kind);
  }

  /** @returns why it was not taken; undefined: there was nothing to tell, or another process tells it */
  async function tell(
    { id: notice, items, attempt, isDigest }: Planned,
    now_ms: number,
  ): Promise<ChannelError | "sent" | undefined> {
    const notices = await project.ask((tables) =>
      items.map((item) => noticeOf(tables, item, told)).filter((one) => one !== undefined),
    );
    // It was settled a moment ago.
    if (notices.length === 0) return undefined;
    const about = { notice, channel: name, attempt };
    const described = items.map(({ kind, position }) => ({ kind, position }));
    if (!(await claim(draft("notice.started", { ...about, items: described, notifier }), attempt)))
      return undefined;
    try {
      // Not cut off where the configuration changes: it would be told twice.
      await channel.send({ id: notice, notices }, AbortSignal.timeout(SEND_MS));
      if (isDigest) lastDigest_ms = now_ms;
      owed.push(draft("notice.sent", about));
      await pay();
      return "sent";
    } catch (error) {
      if (error instanceof LogError) throw error;
      const failure =
        error instanceof ChannelError ? error : new ChannelError(errorMessage(error), { cause: error });
      const first = items[0]?.tried?.started_at;
      const isOld =
        first !== undefined && attempt >= LEAST_TRIES && now_ms - fromSqlTime(first) / 1_000 > GIVE_UP_MS;
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

  /** One after the other, so that each is recorded before it is forgotten. */
  const pay = () =>
    inTurns(async () => {
      for (let first = owed[0]; first; first = owed[0]) {
        await log.append([first]);
        owed.shift();
      }
    });

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
  readonly isDigest: boolean;
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
