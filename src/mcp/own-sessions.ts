import type { Reporter } from "../decisions/reports.ts";
import { ToolRefusal } from "./tool-refusal.ts";

/**
 * The sessions that a server reports for: the one that it was launched with, and those started
 * through it. The listed tools never depend on them.
 */
export class OwnSessions {
  /** The name of this server in the log's correlation, even without a session of a task. */
  readonly label: string;
  readonly #reporters: Reporter[];
  readonly #launched: Reporter | undefined;
  readonly #isBound: boolean;

  /**
   * @param label the session's id, or the context's if there is no task
   * @param isBound true: no session is started or ended here but its own
   */
  constructor(label: string, launched?: Reporter, isBound = false) {
    this.label = label;
    this.#launched = launched;
    this.#isBound = isBound;
    this.#reporters = launched ? [launched] : [];
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

  /** @throws ToolRefusal: this server is bound to its session */
  requireMayStart(): void {
    if (this.#isBound && this.#launched)
      throw new ToolRefusal(
        `Nothing was recorded: this is session ${this.label}, which starts no other one.`,
      );
  }

  /** @throws ToolRefusal: this server is bound, and the session is not its own */
  requireMayEnd(session: string): void {
    if (this.#isBound && !this.find(session))
      throw new ToolRefusal(
        `Nothing was recorded: this is session ${this.label}, which ends no session but its own. Leave ${session} to its driver.`,
      );
  }

  adopt(reporter: Reporter): void {
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
