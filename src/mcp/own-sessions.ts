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

  /** @param label the session's id, or the context's if there is no task */
  constructor(label: string, launched?: Reporter) {
    this.label = label;
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
