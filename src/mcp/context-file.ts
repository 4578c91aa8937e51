import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { concatMap, merge, Observable, of } from "rxjs";
import { noticesOf } from "../events/file-watch.ts";
import { type Context, ContextError, contextIn, contextText } from "./context.ts";

/**
 * The context.json of a server that runs. Whoever is about to list or call a tool looks first, so that nothing is done by
 * a context that is not that of the file any more; the watch is for clients that ask nothing meanwhile.
 */
export class ContextFile {
  readonly #path: string;
  readonly #launched: Context;
  readonly #replace: (context: Context) => Promise<void>;
  #context: Context;
  /** What the file said at the last look. */
  #text: string | undefined;
  #lastLook: Promise<void> = Promise.resolve();

  /**
   * @param launched what the server was launched with
   * @param replace puts another context in place; @throws ContextError: it names what is not there
   */
  constructor(path: string, launched: Context, replace: (context: Context) => Promise<void>) {
    this.#path = path;
    this.#launched = launched;
    this.#context = launched;
    this.#replace = replace;
  }

  /**
   * Has the context of the file take effect, if it is another one than at the last look. Looks follow each other; after
   * one that failed all fail.
   *
   * @throws ContextError: the file cannot be used, or is of another session or task
   */
  look(): Promise<void> {
    this.#lastLook = this.#lastLook.then(() => this.#lookOnce());
    return this.#lastLook;
  }

  /** Looks whenever the file may have changed. A process that has nothing else to do may end meanwhile. */
  watch(): Observable<void> {
    const notices = noticesOf(this.#path, { persistent: false });
    // At first for what changed since the launch.
    return merge(notices, of(undefined), pulse(FALLBACK_MS)).pipe(concatMap(() => this.look()));
  }

  async #lookOnce(): Promise<void> {
    const next = await this.#read();
    if (isDeepStrictEqual(next, this.#context)) return;
    this.#context = next;
    await this.#replace(next);
  }

  /** An editor may take the file away for a moment, or write it in parts: a bad one is looked at twice. */
  async #read(): Promise<Context> {
    try {
      return this.#take();
    } catch (error) {
      if (!(error instanceof ContextError)) throw error;
      await delay(SETTLE_MS);
      return this.#take();
    }
  }

  #take(): Context {
    const text = contextText(this.#path);
    if (text === this.#text) return this.#context;
    const context = contextIn(text, this.#path);
    this.#checkSame("session_id", context);
    this.#checkSame("task_id", context);
    this.#text = text;
    return context;
  }

  /** Who reports, and for which task, was settled with the launch. */
  #checkSame(field: "session_id" | "task_id", context: Context): void {
    if (context[field] === this.#launched[field]) return;
    throw new ContextError(
      `The context ${this.#path} now has \`${field}\` ${JSON.stringify(context[field])}, but this ` +
        `server was launched for ${JSON.stringify(this.#launched[field])}. Start another server for ` +
        "another session or task.",
    );
  }
}

/** Where the system's notices get lost. */
const FALLBACK_MS = 1_000;
const SETTLE_MS = 200;

function pulse(every_ms: number): Observable<void> {
  return new Observable((subscriber) => {
    const timer = setInterval(() => subscriber.next(), every_ms);
    timer.unref();
    return () => clearInterval(timer);
  });
}
