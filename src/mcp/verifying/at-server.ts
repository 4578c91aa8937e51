import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import type { SignalReport } from "../../decisions/rules/signal-report.ts";
import type { Store } from "../../decisions/store.ts";
import type { Verification } from "../../gates/verifying/verification.ts";
import type { VerifiedDone } from "../../gates/verifying/verify-done.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { isWorktree, sessionFolderOf } from "../../lib/project-folder.ts";
import { turns } from "../../lib/turns.ts";
import { commitsFileIn } from "../../workspace/session-commits.ts";
import { tellProgress } from "../answers/progress.ts";
import type { Caller } from "../caller.ts";
import type { GatePlace, GatesOfCall, WantedGates } from "./gates-of-call.ts";

/**
 * Runs a server's gates, one call at a time. The code is loaded on first use.
 *
 * A client that cancels a call, or goes, does not stop its gates: the same call repeated while they run
 * gets their result.
 */
export class GatesAtServer {
  readonly #place: GatePlace;
  readonly #stopped = new AbortController();
  readonly #inTurn = turns();
  #config: Promise<Config> | undefined;
  /** Running gates, by request. */
  readonly #running = new Map<string, Promise<Verification>>();
  /** The answers of the latest calls with a key. */
  readonly #answered = new Map<string, Promise<Verification>>();

  constructor(place: GatePlace) {
    this.#place = place;
  }

  /** Fixes the gate settings before the agent can change anything. @throws ConfigError */
  prepare(): Promise<Config> {
    this.#config ??= import("../../config/confirmed.ts").then(({ confirmedConfig }) =>
      confirmedConfig(this.#place.readModelPath),
    );
    // The next caller gets the error, and a human may have fixed or confirmed it by then.
    this.#config.catch(() => {
      this.#config = undefined;
    });
    return this.#config;
  }

  #looksAt(session: string): boolean {
    const { workspace = "", readModelPath } = this.#place;
    return isWorktree(workspace) || existsSync(commitsFileIn(sessionFolderOf(readModelPath, session)));
  }

  /** For one call: its client gets the progress since its call. */
  forCall(store: Store, caller: Caller): GatesOfCall {
    let message = "The gates run one call at a time; the gates of this call have not started.";
    const say = (said: string) => {
      message = said;
    };
    const load = async () => {
      const { GatesOfSession } = await import("./gates-of-session.ts");
      return new GatesOfSession(store, this.#place, () => this.prepare(), this.#stopped.signal, say);
    };
    const told = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
      const progress = tellProgress(caller, () => message);
      try {
        return await work();
      } finally {
        progress?.unsubscribe();
      }
    };
    return {
      looksAt: (session) => this.#looksAt(session),
      stateOf: async (task) => (await load()).stateOf(task),
      keepBeginning: async (session) => (await load()).keepBeginning(session),
      foundAtEnd: (session) => told(() => this.#inTurn(async () => (await load()).foundAtEnd(session))),
      verify: (wanted) => told(() => this.#verify(wanted, async () => (await load()).verify(wanted))),
      verifyDone: (recorded, wanted) =>
        told(() => this.#inTurn(async () => (await load()).verifyDone(recorded, wanted))).catch(
          (error: unknown) => notRun(recorded, error),
        ),
    };
  }

  /** Ends those that run, which are recorded as interrupted; no other one starts. */
  stop(): void {
    this.#stopped.abort();
  }

  #verify(
    { task, session, gate, key }: WantedGates,
    work: () => Promise<Verification>,
  ): Promise<Verification> {
    const before = key === undefined ? undefined : this.#answered.get(key);
    if (before) return before;
    const what = JSON.stringify([task, session, gate]);
    const running = this.#running.get(what) ?? this.#inTurn(work);
    if (!this.#running.has(what)) {
      this.#running.set(what, running);
      const over = () => void this.#running.delete(what);
      running.then(over, over);
    }
    if (key !== undefined) this.#remember(key, running);
    return running;
  }

  #remember(key: string, answer: Promise<Verification>): void {
    this.#answered.set(key, answer);
    const [oldest] = this.#answered.keys();
    if (this.#answered.size > REMEMBERED && oldest !== undefined) this.#answered.delete(oldest);
  }
}

/** Whatever failed, the done is recorded, and its agent is told so. */
function notRun(recorded: SignalReport, error: unknown): VerifiedDone {
  const why = errorMessage(error);
  return { ...recorded, next: `Recorded, but the gates were not run: ${why} ${recorded.next}` };
}

/** More calls than a client repeats. */
const REMEMBERED = 100;
