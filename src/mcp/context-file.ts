import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { concatMap, merge, Observable, of } from "rxjs";
import { noticesOf } from "../events/file-watch.ts";
import { type Context, ContextError, contextIn, contextText } from "./context.ts";

/**
 * The context.json of a running server. It is read again before each listing or call, so that
 * nothing happens under an outdated context; the watch is for idle clients.
 */
export class ContextFile {
  readonly #path: string;
  readonly #launched: Context;
  readonly #replace: (context: Context) => Promise<void>;
  #context: Context;
  /** The content at the last read. */
  #text: string | undefined;
  #lastLook: Promise<void> = Promise.resolve();

  /**
   * @param launched the context that the server was launched with
   * @param replace switches to another context; @throws ContextError naming an unknown part
   */
  constructor(path: string, launched: Context, replace: (context: Context) => Promise<void>) {
    this.#path = path;
    this.#launched = launched;
    this.#context = launched;
    this.#replace = replace;
  }

  /**
   * Applies the file's context if it has changed since the last read. Reads run one at a time;
   * after a failure all fail.
   *
   * @throws ContextError: the file is not usable, or belongs to another session or task
   */
  look(): Promise<void> {
    this.#lastLook = this.#lastLook.then(() => this.#lookOnce());
    return this.#lastLook;
  }

  /** Reads whenever the file may have changed. Does not keep the process alive. */
  watch(): Observable<void> {
    const notices = noticesOf(this.#path, { persistent: false });
    // First for changes since the launch.
    return merge(notices, of(undefined), pulse(FALLBACK_MS)).pipe(concatMap(() => this.look()));
  }

  async #lookOnce(): Promise<void> {
    const next = await this.#read();
    if (isDeepStrictEqual(next, this.#context)) return;
    this.#context = next;
    await this.#replace(next);
  }

  /** An editor may briefly remove the file, or write it in parts: an invalid file is read twice. */
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

  /** Session and task are fixed at the launch. */
  #checkSame(field: "session_id" | "task_id", context: Context): void {
    if (context[field] === this.#launched[field]) return;
    throw new ContextError(
      `The context ${this.#path} now has \`${field}\` ${JSON.stringify(context[field])}, but this ` +
        `server was launched for ${JSON.stringify(this.#launched[field])}. Start another server for ` +
        "another session or task.",
    );
  }
}

/** For systems that lose file notices. */
const FALLBACK_MS = 1_000;
const SETTLE_MS = 200;

function pulse(every_ms: number): Observable<void> {
  return new Observable((subscriber) => {
    const timer = setInterval(() => subscriber.next(), every_ms);
    timer.unref();
    return () => clearInterval(timer);
  });
}
