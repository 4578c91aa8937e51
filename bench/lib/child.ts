import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { doing } from "./doing.ts";

/** A process of bench/children, as run.mjs has bundled it. It is asked one thing at a time. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  /** Resolves when the child serves requests. */
  static async start(
    name: "appender" | "follower" | "flood" | "fleet-host" | "fleet-writer",
    args: readonly string[],
  ): Promise<Child> {
    const child = new Child(fork(join(import.meta.dirname, `${name}.mjs`), args));
    await child.#message();
    return child;
  }

  /** @param request a key of what the child serves; the answer's type is what that function there returns */
  async ask<Answer>(request: string, argument?: unknown): Promise<Answer> {
    doing(`a child process that was asked to ${request}`);
    this.#process.send({ request, argument });
    return (await this.#message()) as Answer;
  }

  async end(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.disconnect();
    await ended;
  }

  async #message(): Promise<unknown> {
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      const failed = once(this.#process, "exit", { signal }).then(([code]) => {
        throw new Error(`A child process of the bench ended with ${code}.`);
      });
      const [message] = await Promise.race([once(this.#process, "message", { signal }), failed]);
      return message;
    } finally {
      waiting.abort();
    }
  }
}

/** The child's side: answers requests until the parent disconnects, then closes and lets the process end. */
export function serve(
  answers: Readonly<Record<string, (argument: never) => unknown>>,
  close: () => unknown,
): void {
  process.on("message", async ({ request, argument }: { request: string; argument: never }) => {
    process.send?.((await answers[request]?.(argument)) ?? null);
  });
  process.once("disconnect", close);
  process.send?.("ready");
}

/** Milliseconds on the clock that all processes of a machine share. */
export function sharedClock_ms(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
