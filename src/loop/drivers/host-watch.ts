import {
  BehaviorSubject,
  filter,
  firstValueFrom,
  interval,
  map,
  type Observable,
  race,
  Subject,
  skip,
} from "rxjs";
import type { Config } from "../../config/config.ts";
import type { Store } from "../../decisions/store.ts";
import type { HostBeats } from "../../events/log.ts";
import type { Host } from "../../events/own-host.ts";
import { PROGRAM_LEVEL } from "../../events/program-level.ts";
import { LogError } from "../../lib/log-error.ts";
import { findHost } from "../../queries/hosts.ts";
import { askAtHead } from "../../read-model/ask.ts";
import type { Stop } from "../agent/verdict.ts";

/** Time between the signs of life of a host, in milliseconds. */
const BEAT_MS = 5_000;
/** Time between two looks at the clock. */
const TICK_MS = 1_000;
/**
 * A host ends its agents so long before others may declare it lost for its silence: enough for `FENCE_GRACE_MS`, a tick and the way of
 * a beat to the log.
 */
const MARGIN_MS = 15_000;
/** Time between SIGTERM and SIGKILL for the agents of a host that is cut off, at most. */
export const FENCE_GRACE_MS = 10_000;

/** Codes of a log that cannot be reached now. */
const AWAY: ReadonlySet<LogError["code"]> = new Set(["busy", "commit_unknown"]);

export interface HostWatching {
  /** False while an agent of this driver runs. */
  readonly isIdle: () => boolean;
  /** Emits each time that the clock is looked at; by default a timer. */
  readonly ticks?: Observable<unknown> | undefined;
}

/** @returns undefined for a log that is a file of this machine: nobody else judges its drivers */
export function watchHost(
  store: Store,
  { host_silence_s }: Pick<Config["fleet"], "host_silence_s">,
  watching: HostWatching,
): HostWatch | undefined {
  const { hosts } = store.log;
  const own = hosts && store.ownHost?.();
  return own && new HostWatch(store, hosts, own, host_silence_s * 1_000, watching);
}

/**
 * Gives the signs of life of this host, and says when its agents must end: once it could not reach the log for so long that others
 * may soon declare it lost, or once they did (docs/decisions/0052-signs-of-life-by-host.md). It may go on after the next sign of life
 * that the log takes, in a new epoch if it was lost.
 */
export class HostWatch {
  readonly #store: Store;
  readonly #hosts: HostBeats;
  readonly #own: Host;
  readonly #silence_ms: number;
  readonly #isIdle: () => boolean;
  readonly #fence = new BehaviorSubject<string | undefined>(undefined);
  readonly #reached = new Subject<void>();
  readonly #ticking: { unsubscribe(): void };
  /** Undefined until the log was asked. */
  #epoch: number | undefined;
  /** When the last sign of life that the log took was sent. */
  #last: Moment;
  #tried: Moment | undefined;
  #isBeating = false;
  /** Why the log refused the last sign of life; empty if it took it, or was only away. */
  #refusal = "";

  constructor(
    store: Store,
    hosts: HostBeats,
    own: Host,
    silence_ms: number,
    { isIdle, ticks }: HostWatching,
  ) {
    this.#store = store;
    this.#hosts = hosts;
    this.#own = own;
    this.#silence_ms = silence_ms;
    this.#isIdle = isIdle;
    this.#last = this.#now();
    this.#ticking = (ticks ?? interval(TICK_MS)).subscribe(() => this.#look());
    this.#look();
  }

  get isFenced(): boolean {
    return this.#fence.value !== undefined;
  }

  /** Emits why its agents must end, at once also to later subscribers. */
  get cuts(): Observable<Stop> {
    return this.#fence.pipe(
      filter((reason) => reason !== undefined),
      map((reason) => ({ why: "fenced", reason })),
    );
  }

  /** Emits when its agents must end, and why; and null when it may go on. */
  get changes(): Observable<string | null> {
    return this.#fence.pipe(
      skip(1),
      map((reason) => reason ?? null),
    );
  }

  /**
   * Waits until a log that could not be reached has taken the next sign of life.
   *
   * @param changed emits when `goesOn` may have become false
   * @returns false at once for any other error; false where it does not go on
   */
  async outlasts(error: unknown, changed: Observable<unknown>, goesOn: () => boolean): Promise<boolean> {
    if (!(error instanceof LogError && AWAY.has(error.code))) return false;
    const stopped = changed.pipe(filter(() => !goesOn()));
    if (goesOn()) await firstValueFrom(race(this.#reached, stopped));
    return goesOn();
  }

  stop(): void {
    this.#ticking.unsubscribe();
  }

  #look(): void {
    const silent_ms = this.#since(this.#last);
    if (silent_ms >= this.#silence_ms - MARGIN_MS)
      this.#end(`its host could not reach the log for ${Math.round(silent_ms / 1_000)} s${this.#refusal}`);
    const isDue = this.#tried === undefined || this.#since(this.#tried) >= BEAT_MS;
    if (isDue && !this.#isBeating) void this.#beat();
  }

  async #beat(): Promise<void> {
    const at = this.#now();
    this.#tried = at;
    this.#isBeating = true;
    try {
      const epoch = await this.#presentEpoch();
      if (this.#epoch !== undefined && epoch > this.#epoch) this.#end("its host was declared lost");
      this.#epoch = epoch;
      await this.#hosts.beat({ ...this.#own, epoch, level: PROGRAM_LEVEL });
      this.#last = at;
      this.#refusal = "";
      // What it has started in an epoch that is lost ends before it starts anything in the next one.
      if (this.isFenced && this.#isIdle()) this.#fence.next(undefined);
      this.#reached.next();
    } catch (error) {
      // Any other error is one more beat that the log did not take.
      if (error instanceof LogError && error.code === "host_lost") this.#end("its host was declared lost");
      this.#refusal = error instanceof LogError && !AWAY.has(error.code) ? `: ${error.message}` : "";
    } finally {
      this.#isBeating = false;
    }
  }

  #presentEpoch(): Promise<number> {
    return askAtHead(this.#store, (readModel) => findHost(readModel, this.#own.host)?.epoch ?? 1);
  }

  #end(why: string): void {
    if (!this.isFenced) this.#fence.next(why);
  }

  #now(): Moment {
    const { environment } = this.#store;
    return { elapsed_ms: environment.elapsed_ms(), now_us: environment.now() };
  }

  /** By the clock that says more: one stands still while the machine sleeps, the other may be set back. */
  #since({ elapsed_ms, now_us }: Moment): number {
    const now = this.#now();
    return Math.max(now.elapsed_ms - elapsed_ms, (now.now_us - now_us) / 1_000);
  }
}

interface Moment {
  readonly elapsed_ms: number;
  readonly now_us: number;
}
