import { dirname, join } from "node:path";
import { readConfig } from "../../config/config.ts";
import type { SignalReport } from "../../decisions/signal-report.ts";
import { stateOf } from "../../decisions/state.ts";
import type { Store } from "../../decisions/store.ts";
import { AGENT } from "../../events/actors.ts";
import { ralphFolderOf } from "../../events/project-folder.ts";
import { visible } from "../../events/visible.ts";
import type { GatesToRun } from "../../gates/run-gates.ts";
import type { Verification } from "../../gates/verifying/verification.ts";
import { verificationOf, verify } from "../../gates/verifying/verify.ts";
import { type VerifiedDone, verifyDone } from "../../gates/verifying/verify-done.ts";
import { tellProgress } from "../answers/progress.ts";
import type { Caller } from "../answers/shown-form.ts";
import type { GatePlace, GatesOfCall } from "./at-server.ts";

type Wanted = Parameters<GatesOfCall["verify"]>[0];

/** Runs gates for one call, and tells its client how far they are. All that it takes is loaded with this file. */
export class GatesOfSession implements GatesOfCall {
  readonly #runner: { readonly store: Store; readonly actor: string };
  readonly #place: GatePlace;
  readonly #caller: Caller;
  readonly #gone: AbortSignal;
  #progress = "The gates are about to be run.";

  /** @param gone aborted when the client has gone */
  constructor(store: Store, place: GatePlace, caller: Caller, gone: AbortSignal) {
    this.#runner = { store, actor: AGENT };
    this.#place = place;
    this.#caller = caller;
    this.#gone = gone;
  }

  stateOf(task: number): Promise<Verification> {
    return verificationOf(this.#runner, { task });
  }

  verify(wanted: Wanted): Promise<Verification> {
    return this.#told(async () => verify(this.#runner, this.#toRun(wanted)));
  }

  async verifyDone(recorded: SignalReport, wanted: Wanted): Promise<VerifiedDone> {
    try {
      const toRun = { ...this.#toRun(wanted), session: wanted.session };
      return await this.#told(() => verifyDone(this.#runner, recorded, toRun));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ...recorded, next: `Recorded, but the gates were not run: ${why} ${recorded.next}` };
    }
  }

  async #told<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const progress = tellProgress(this.#caller, () => this.#progress);
    try {
      return await work();
    } finally {
      progress?.unsubscribe();
    }
  }

  #toRun({ task, session, gate }: Wanted): GatesToRun {
    const { readModelPath, workspace } = this.#place;
    const ralph = ralphFolderOf(readModelPath);
    const known = stateOf(this.#runner.store.readModel).sessions.get(session) !== undefined;
    return {
      task,
      gate,
      // A session that nobody has started yet has no gates run in its course.
      session: known ? session : undefined,
      folder: workspace ?? dirname(ralph),
      runFolder: join(ralph, "run"),
      config: readConfig(readModelPath),
      keepPasses: gate === undefined,
      signal: this.#gone,
      onWait: (holder) => {
        this.#progress = `Waiting for ${holder?.purpose ?? "gates"} in the same folder.`;
      },
      onStart: ({ gate: number, command }) => {
        this.#progress = `Gate ${number} is run: ${shortened(command)}`;
      },
      onProgress: ({ gate: number, command }, { elapsed_ms, lines }) => {
        this.#progress = `Gate ${number} is run for ${Math.round(elapsed_ms / 1_000)} s, ${lines} lines so far: ${shortened(command)}`;
      },
    };
  }
}

function shortened(command: string): string {
  return [...visible(command)].slice(0, 200).join("");
}
