import { basename, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  BehaviorSubject,
  defer,
  filter,
  firstValueFrom,
  from,
  mergeMap,
  race,
  type Subscription,
  timer as timerOf,
} from "rxjs";
import { loadChannels } from "../../adapters.ts";
import type { Project } from "../../api/project.ts";
import type { Config } from "../../config/config.ts";
import { requireKnownLog } from "../../config/known-log.ts";
import { liveConfig } from "../../config/live-config.ts";
import type { ChannelSettings } from "../../config/notice-settings.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { ralphFolderOf } from "../../lib/project-folder.ts";
import { holdOffice } from "../../read-model/elected.ts";
import { keepTrying } from "../../read-model/keep-trying.ts";
import { answering } from "./answering.ts";
import type { OpenChannel } from "./channel.ts";
import { keepTelling, type Wakes } from "./channel-loop.ts";
import type { NoticeSurroundings } from "./notice.ts";
import { tokensOn } from "./token-rights.ts";
import { tellingOn } from "./told-channel.ts";

export interface NotifierOptions {
  readonly readModelPath: string;
  /** The panel's address where this process serves it; the configuration's goes before it. */
  readonly url?: string | undefined;
  /** Is told what is wrong. */
  report(problem: string): void;
  /** Makes a channel; one of the configuration's kind, if absent. */
  readonly open?: OpenChannel;
}

/** The part that a process takes in telling people. */
export interface Notifier {
  /** Waits until what is due now was told or refused, for a process that is about to end; not for long. */
  finish(): Promise<void>;
  /** What is being sent is cut off, and told again under the same id by the next one. */
  stop(): void;
}

/**
 * Tells people what waits for them. Of all processes that take part and share a project's folder, one does so. It reads the log and
 * appends to it like others: nothing waits for it.
 */
export function takePartInNotices(project: Project, options: NotifierOptions): Notifier {
  let working: Notifier | undefined;
  const office = holdOffice(
    `${options.readModelPath}-notifier`,
    () => {
      const work = notify(project, options);
      working = work;
      return {
        stop() {
          working = undefined;
          work.stop();
        },
      };
    },
    { first_ms: 0 },
  );
  return { finish: async () => working?.finish(), stop: office.stop };
}

/** The kinds of channels are loaded where there is a channel. */
const openChannel: OpenChannel = async (...of) => (await loadChannels()).openChannel(...of);

function notify(
  project: Project,
  { readModelPath, url, report, open = openChannel }: NotifierOptions,
): Notifier {
  const { log, store } = project;
  const notifier = `n-${store.environment.newId()}`;
  const settings = liveConfig(readModelPath);
  const answer = answering(project, readModelPath);
  const wakes: Wakes = { news: new BehaviorSubject(0), retried: new BehaviorSubject(0) };
  const reported = new Map<string, string>();
  let told: Pick<Config, "notices" | "people"> | undefined;
  let running = new AbortController();
  let loops: readonly Promise<void>[] = [];
  const looked = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());

  const following: Subscription = defer(() => from(log.head()))
    .pipe(
      mergeMap((head) => log.follow(head)),
      keepTrying((error) => say("the log", errorMessage(error))),
    )
    .subscribe((events) => {
      if (events.some(({ type }) => type === "notice.retried")) wakes.retried.next(wakes.retried.value + 1);
      if (events.some(({ type }) => !OWN.has(type))) wakes.news.next(wakes.news.value + 1);
    });

  let timer = setTimeout(lookAtSettings, 0);
  function lookAtSettings(): void {
    timer = setTimeout(lookAtSettings, SETTINGS_MS);
    try {
      const now = settings();
      say("the configuration", undefined);
      if (isSame(now, told)) return;
      told = now;
      running.abort();
      running = new AbortController();
      looked.next(new Map(Object.keys(now.notices.channels).map((name) => [name, -1])));
      const { signal } = running;
      // What the former ones are sending is told first, so that it is not told twice.
      void Promise.all(loops).then(() => {
        if (signal.aborted) return;
        loops = Object.entries(now.notices.channels).map(([name, channel]) =>
          runChannel(name, channel, now, signal),
        );
      });
    } catch (error) {
      // What was confirmed once goes on only while it is what is there. What never was is shown by `notify status`.
      if (told) say("the configuration", errorMessage(error));
      running.abort();
      told = undefined;
    }
  }

  function runChannel(
    name: string,
    channel: ChannelSettings,
    { notices, people }: Config,
    signal: AbortSignal,
  ): Promise<void> {
    const surroundings: NoticeSurroundings = {
      folder: basename(dirname(ralphFolderOf(readModelPath))),
      url: (notices.url ?? url)?.replace(/\/+$/, ""),
      tokenFor: tokensOn(name, channel, { notices, people }, readModelPath),
    };
    return keepTelling({
      async open() {
        await requireKnownLog(log, readModelPath);
        const opened = await open(name, channel);
        const listening = opened.listen?.(
          (act) => answer.onChannel(act, channel.kind),
          (problem) => say(name, problem),
        );
        if (signal.aborted) listening?.close();
        signal.addEventListener("abort", () => listening?.close());
        return tellingOn(project, { ...surroundings, name, channel: opened, rules: notices.rules, notifier });
      },
      wakes,
      tell: (problem) => say(name, problem),
      looked: (news) => !signal.aborted && looked.next(new Map(looked.value).set(name, news)),
      jitter: () => store.environment.jitter(),
      signal,
    });
  }

  /** Once each time that it changes. */
  function say(what: string, problem: string | undefined): void {
    if (problem !== undefined && reported.get(what) !== problem) report(`Notices: ${what}: ${problem}`);
    if (problem === undefined) reported.delete(what);
    else reported.set(what, problem);
  }

  return {
    async finish() {
      const news = wakes.news.value + 1;
      wakes.news.next(news);
      const done = looked.pipe(filter((channels) => [...channels.values()].every((seen) => seen >= news)));
      await firstValueFrom(race(done, timerOf(LAST_WORDS_MS)));
    },
    stop() {
      clearTimeout(timer);
      running.abort();
      following.unsubscribe();
    },
  };
}

function isSame(now: Config, told: Pick<Config, "notices" | "people"> | undefined): boolean {
  return isDeepStrictEqual([now.notices, now.people], [told?.notices, told?.people]);
}

/** What it records itself, and what brings nothing to tell. */
const OWN: ReadonlySet<string> = new Set(["notice.started", "notice.sent", "notice.failed"]);
const SETTINGS_MS = 1_000;
const LAST_WORDS_MS = 10_000;
