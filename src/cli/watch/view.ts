import { basename } from "node:path";
import { fromEvent, interval, merge, Subject, type Subscription, take, throttleTime } from "rxjs";
import { undo } from "../../decisions/inbox.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { LogError } from "../../events/log-error.ts";
import type { Event } from "../../events/types/index.ts";
import type { Project } from "../../project.ts";
import { ReadModelError } from "../../projections/read-model-error.ts";
import { keyPresses } from "./key-presses.ts";
import { render } from "./line.ts";
import { FRAME_MS, liveOverviews, lookAt } from "./live.ts";
import { Painter } from "./painter.ts";
import { acted, type Effect, pressed, refused, undone } from "./pressed.ts";
import { screenOf } from "./screen.ts";
import { initialState, type WatchState, withOverview } from "./state.ts";

export interface Look {
  /** The project's folder. */
  readonly folder: string;
  readonly color: boolean;
  readonly ascii: boolean;
}

/**
 * Shows the project on this process's terminal until it is quit, and gives the terminal back as it was: at `q`, Ctrl-C,
 * SIGTERM, SIGHUP, and when the program fails.
 */
export async function showOnTerminal(project: Project, look: Look): Promise<void> {
  const view = new View(project, look, initialState(await lookAt(project)));
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
  #acts: Promise<void> = Promise.resolve();
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
        liveOverviews(this.#project, this.#state.overview.position).subscribe({
          next: (overview) => this.#show((state) => withOverview(state, overview)),
          error: fail,
          complete: () => resolve(),
        }),
      );
      add(keyPresses(process.stdin).subscribe({ next: (key) => this.#press(key, fail), error: fail }));
      add(merge(interval(1_000), fromEvent(process.stdout, "resize")).subscribe(() => this.#changed.next()));
      add(fromEvent(process, "SIGCONT").subscribe(() => this.#resume()));
      this.#changed.next();
    });
    // What was pressed before the end is recorded.
    await this.#acts;
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
        this.#painter.close();
        process.stdin.setRawMode(false);
        process.kill(process.pid, "SIGTSTP");
        return;
      case "repaint":
        this.#painter.forget();
        return;
      default:
        // One after the other, in the order of the keys.
        this.#acts = this.#acts.then(() => this.#decide(effect)).catch(fail);
    }
  }

  #resume(): void {
    process.stdin.setRawMode(true);
    this.#painter.open();
    this.#painter.forget();
    this.#changed.next();
  }

  async #decide(effect: Extract<Effect, { kind: "act" | "undo" }>): Promise<void> {
    try {
      if (effect.kind === "act") {
        const { item, act, text } = effect;
        const [event] = await this.#project.decideOn(act.plan(item, text));
        const said = await this.#wordsFor(event);
        this.#show((state) => acted(state, effect, event?.position ?? 0, said));
      } else {
        const [event] = await this.#project.decideOn((state) => undo({ id: effect.done.id }, state));
        const text = await this.#wordsFor(event);
        this.#show((state) => undone(state, effect.done, { tone: "good", text }));
      }
    } catch (error) {
      if (!isAnswer(error)) throw error;
      const text = error.message;
      this.#show((state) =>
        effect.kind === "act"
          ? refused(state, effect.item, text)
          : undone(state, effect.done, { tone: "bad", text }),
      );
    }
  }

  /** What was recorded, where, and what it made of the task. */
  async #wordsFor(event: Event | undefined): Promise<string> {
    if (!event) return "";
    const task =
      "task" in event.payload ? await this.#project.queries.taskRow(event.payload.task) : undefined;
    return `${event.type} at #${event.position}${task ? `; task ${task.id} is ${task.status}` : ""}.`;
  }
}

/** A refusal, or a disk that does not take the act now: the human is told, and the view goes on. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Refusal || error instanceof LogError || error instanceof ReadModelError;
}
