import type { Reporter } from "../decisions/reports.ts";
import { ToolRefusal } from "./tool-refusal.ts";

/**
 * The sessions that a server reports for: the one that it was launched with, and those that were started through it.
 * Which tools are listed never depends on them.
 */
export class OwnSessions {
  /** What this server is called in the log's correlation, also where it has no session of a task. */
  readonly label: string;
  readonly #reporters: Reporter[];

  /** @param label the session's id, or that of the context where there is no task */
  constructor(label: string, launched?: Reporter) {
    this.label = label;
    this.#reporters = launched ? [launched] : [];
  }

  /** Whom the verbs report for: of the sessions that were not ended here, the one that was started last. @throws ToolRefusal */
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

  /** The session of this id, if it is one of this server's. */
  find(session: string): Reporter | undefined {
    return this.#reporters.find((reporter) => reporter.session === session);
  }

  adopt(reporter: Reporter): void {
    if (!this.find(reporter.session)) this.#reporters.push(reporter);
  }

  /** A session that was ended here gives way to the one before it; the last one stays, for what it still reports late. */
  release(session: string): void {
    const index = this.#reporters.findIndex((reporter) => reporter.session === session);
    if (index >= 0 && this.#reporters.length > 1) this.#reporters.splice(index, 1);
  }
}
