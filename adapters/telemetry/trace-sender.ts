import { errorMessage, type Project } from "./core.ts";
import type { OtlpEndpoint } from "./endpoint.ts";
import { spansOfSession } from "./export-traces.ts";
import { sendSpans } from "./send.ts";

const TIMEOUT_MS = 5_000;

/** Sends the traces of a loop's sessions beside its work: nothing waits for it, and no failure of it stops anything. */
export class TraceSender {
  readonly #project: Project;
  readonly #endpoint: OtlpEndpoint;
  readonly #onFirstFailure: (reason: string) => void;
  readonly #underway = new Set<Promise<void>>();
  #failed = false;

  /** @param onFirstFailure is told why, once: what fails again is no news */
  constructor(project: Project, endpoint: OtlpEndpoint, onFirstFailure: (reason: string) => void) {
    this.#project = project;
    this.#endpoint = endpoint;
    this.#onFirstFailure = onFirstFailure;
  }

  /** Begins to send the trace of a session, if it has ended. */
  send(session: string): void {
    const sending = this.#send(session).finally(() => this.#underway.delete(sending));
    this.#underway.add(sending);
  }

  /** Resolves when all that was begun is over: within 5 seconds of the last beginning. */
  async settled(): Promise<void> {
    await Promise.all(this.#underway);
  }

  async #send(session: string): Promise<void> {
    try {
      const spans = await spansOfSession(this.#project, session);
      if (spans.length > 0) await sendSpans(this.#endpoint, spans, TIMEOUT_MS);
    } catch (error) {
      if (!this.#failed) this.#onFirstFailure(errorMessage(error));
      this.#failed = true;
    }
  }
}
