import { constants } from "node:os";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import {
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  fromEvent,
  interval,
  map,
  merge,
  type Observable,
  of,
  Subject,
  type Subscription,
  switchMap,
  take,
  throttleTime,
  timer,
} from "rxjs";
import type { Project } from "../../api/project.ts";
import { turns } from "../../lib/turns.ts";
import type { FleetWatch } from "../../outside/fleet/view.ts";
import { type Key, KeyReader } from "./keys.ts";
import { render } from "./line.ts";
import { FRAME_MS, liveOverviews, lookAt } from "./live.ts";
import { Painter } from "./painter.ts";
import { perform } from "./perform.ts";
import { type Effect, pressed } from "./pressed.ts";
import { screenOf } from "./screen.ts";
import { initialState, noticed, type WatchState, withOverview } from "./state.ts";

/** So long it takes to see that another item is selected than a moment ago. */
const NOTICE_MS = 700;

export interface Look {
  /** The project's folder. */
  readonly folder: string;
  readonly color: boolean;
  readonly ascii: boolean;
  /** Looks at the hosts of a shared log; undefined for a log that is a file. */
  readonly fleet: FleetWatch | undefined;
}

/**
 * Shows the project on this process's terminal until it is quit, and gives the terminal back as it was: at `q`, Ctrl-C,
 * SIGTERM, SIGHUP, and when the program fails.
 */
export async function showOnTerminal(project: Project, look: Look): Promise<void> {
  const view = new View(project, look, initialState(await lookAt(project, look.fleet)));
  try {
    await view.run();
  } finally {
    view.end();
  }
}

class View {
  readonly #project: Project;
  readonly #look: Look;
  readonly #painter = new Painter(process.stdout);
  readonly #changed = new Subject<void>();
  readonly #end = new Subject<void>();
  readonly #restore = () => this.#painter.close();
  #state: WatchState;
  readonly #inTurn = turns();
  #subscription: Subscription | undefined;

  constructor(project: Project, look: Look, state: WatchState) {
    this.#project = project;
    this.#look = look;
    this.#state = state;
  }

  async run(): Promise<void> {
    process.on("exit", this.#restore);
    process.stdin.setRawMode(true);
    this.#painter.open();
    await new Promise<void>((resolve, reject) => {
      const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => fromEvent(process, signal));
      this.#subscription = merge(this.#end, fromEvent(process.stdin, "end"), ...signals)
        .pipe(take(1))
        .subscribe(() => resolve());
      const add = (more: Subscription) => this.#subscription?.add(more);
      const fail = (error: unknown) => reject(error);
      const frames = this.#changed.pipe(throttleTime(FRAME_MS, undefined, { leading: true, trailing: true }));
      add(frames.subscribe({ next: () => this.#draw(), error: fail }));
      add(
        liveOverviews(this.#project, this.#state.overview.position, this.#look.fleet).subscribe({
          next: (overview) => this.#show((state) => withOverview(state, overview)),
          error: fail,
          complete: () => resolve(),
        }),
      );
      const slips = this.#changed.pipe(
        map(() => this.#state.slipped),
        distinctUntilChanged(),
        switchMap((slipped) => (slipped ? timer(NOTICE_MS) : EMPTY)),
      );
      add(slips.subscribe(() => this.#show(noticed)));
      add(keyPresses(process.stdin).subscribe({ next: (key) => this.#press(key, fail), error: fail }));
      add(merge(interval(1_000), fromEvent(process.stdout, "resize")).subscribe(() => this.#changed.next()));
      add(fromEvent(process, "SIGCONT").subscribe(() => this.#resume()));
      this.#changed.next();
    });
    // What was pressed before the end is recorded.
    await this.#inTurn(async () => {});
  }

  end(): void {
    this.#subscription?.unsubscribe();
    this.#painter.close();
    process.off("exit", this.#restore);
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }

  #show(change: (state: WatchState) => WatchState): void {
    this.#state = change(this.#state);
    this.#changed.next();
  }

  #draw(): void {
    const { columns, rows, writableNeedDrain } = process.stdout;
    if (writableNeedDrain) {
      // A slow terminal gets the newest picture when it has taken the last one.
      process.stdout.once("drain", () => this.#changed.next());
      return;
    }
    const now = this.#project.store.environment.now();
    const { lines, cursor } = screenOf(
      this.#state,
      { columns, rows },
      { project: basename(this.#look.folder), now },
    );
    this.#painter.paint({ lines: lines.map((line) => render(line, this.#look)), cursor });
  }

  #press(key: Parameters<typeof pressed>[1], fail: (error: unknown) => void): void {
    const { state, effect } = pressed(this.#state, key);
    this.#show(() => state);
    if (effect) this.#perform(effect, fail);
  }

  #perform(effect: Effect, fail: (error: unknown) => void): void {
    switch (effect.kind) {
      case "quit":
        this.#end.next();
        return;
      case "suspend":
        // Windows cannot suspend a program.
        if (!("SIGTSTP" in constants.signals)) return;
        this.#painter.close();
        process.stdin.setRawMode(false);
        process.kill(process.pid, "SIGTSTP");
        // Where no shell could wake it, the system does not let it sleep: then the view comes back by itself.
        this.#subscription?.add(timer(FRAME_MS).subscribe(() => this.#resume()));
        return;
      case "repaint":
        this.#painter.forget();
        return;
      default:
        // One after the other, in the order of the keys.
        this.#inTurn(async () => this.#show(await perform(this.#project, effect, this.#look.fleet))).catch(
          fail,
        );
    }
  }

  #resume(): void {
    // Off and on: the shell has changed the mode, and what is on already is not set again.
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
    this.#painter.open();
    this.#painter.forget();
    this.#changed.next();
  }
}

/** A terminal sends an escape sequence at once; an escape that nothing follows for so long is the key. */
const ESCAPE_MS = 50;

/** The keys that are pressed on a terminal in raw mode, as they come. */
function keyPresses(input: Readable): Observable<Key> {
  return defer(() => {
    const reader = new KeyReader();
    const pieces = fromEvent(input, "data", (bytes: Buffer) => bytes);
    const late = () => (reader.waiting ? timer(ESCAPE_MS).pipe(map(() => reader.flush())) : EMPTY);
    return pieces
      .pipe(switchMap((bytes) => concat(of(reader.read(bytes)), defer(late))))
      .pipe(concatMap((keys) => keys));
  });
}
