import type { Reporter } from "../decisions/rules/reports.ts";
import { ToolRefusal } from "./tool-refusal.ts";

/**
 * The sessions that a server reports for: the one that it was launched with, and those started
 * through it. The listed tools never depend on them.
 */
export class OwnSessions {
  /** The name of this server in the log's correlation, even without a session of a task. */
  readonly label: string;
  readonly #reporters: Reporter[];
  readonly #launched: boolean;
  readonly #isBound: boolean;
  /** Also those that were ended here: the call that ended one may be repeated. */
  readonly #own: Set<string>;

  /**
   * @param label the session's id, or the context's if there is no task
   * @param isBound true: it works in no other session than the launched one or, without one, those started through it
   */
  constructor(label: string, launched?: Reporter, isBound = false) {
    this.label = label;
    this.#reporters = launched ? [launched] : [];
    this.#launched = launched !== undefined;
    this.#isBound = isBound;
    this.#own = new Set(launched && [launched.session]);
  }

  /** @param ends the session to end; absent: one is to be started. @throws ToolRefusal: it would not be the client's own */
  checkOwn(ends?: string): void {
    if (!this.#isBound || (ends === undefined ? !this.#launched : this.#own.has(ends))) return;
    const entered = this.#launched ? `session ${this.label}` : `the conversation ${this.label}`;
    throw new ToolRefusal(
      `Nothing was recorded: you have entered ${entered}, and may start and end no other session than your own.`,
    );
  }

  /**
   * The session for which verbs report: the last started one that was not ended here. @throws
   * ToolRefusal
   */
  current(): Reporter {
    const reporter = this.#reporters.at(-1);
    if (!reporter) {
      throw new ToolRefusal(
        "Nothing was recorded: this server has no session yet. Call create_ralph_session with the " +
          "task's id first.",
      );
    }
    return reporter;
  }

  /** The session with this id, if it belongs to this server. */
  find(session: string): Reporter | undefined {
    return this.#reporters.find((reporter) => reporter.session === session);
  }

  adopt(reporter: Reporter): void {
    this.#own.add(reporter.session);
    if (!this.find(reporter.session)) this.#reporters.push(reporter);
  }

  /**
   * A session ended here is replaced by the one before it; the last one stays, for late reports.
   */
  release(session: string): void {
    const index = this.#reporters.findIndex((reporter) => reporter.session === session);
    if (index >= 0 && this.#reporters.length > 1) this.#reporters.splice(index, 1);
  }
}
