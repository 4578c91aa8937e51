import { dirname } from "node:path";
import type { Config } from "../../config/config.ts";
import type { SignalReport } from "../../decisions/rules/signal-report.ts";
import { stateOf } from "../../decisions/state.ts";
import type { Store } from "../../decisions/store.ts";
import { AGENT } from "../../events/actors.ts";
import { foundAtEnd, keepBeginning } from "../../gates/verifying/by-hand.ts";
import type { Verification } from "../../gates/verifying/verification.ts";
import { type GatesToVerify, verificationOf, verify } from "../../gates/verifying/verify.ts";
import { type VerifiedDone, verifyDone } from "../../gates/verifying/verify-done.ts";
import { ralphFolderOf, runFolderBeside } from "../../lib/project-folder.ts";
import { visible } from "../../lib/visible.ts";
import { catchUp } from "../../read-model/worker.ts";
import type { GatePlace, GatesOfCall, WantedGates } from "./gates-of-call.ts";

/**
 * Runs gates for one call, and reports their progress. All of the code needed is loaded with this
 * file.
 */
export class GatesOfSession implements Omit<GatesOfCall, "looksAt"> {
  readonly #runner: { readonly store: Store; readonly actor: string };
  readonly #place: GatePlace;
  readonly #config: () => Promise<Config>;
  readonly #stopped: AbortSignal;
  readonly #say: (message: string) => void;

  /** @param stopped aborted when they are to end */
  constructor(
    store: Store,
    place: GatePlace,
    config: () => Promise<Config>,
    stopped: AbortSignal,
    say: (message: string) => void,
  ) {
    this.#runner = { store, actor: AGENT };
    this.#place = place;
    this.#config = config;
    this.#stopped = stopped;
    this.#say = say;
  }

  stateOf(task: number): Promise<Verification> {
    return verificationOf(this.#runner, { task });
  }

  async verify(wanted: WantedGates): Promise<Verification> {
    return verify(this.#runner, this.#toRun(wanted));
  }

  async verifyDone(recorded: SignalReport, wanted: WantedGates): Promise<VerifiedDone> {
    return verifyDone(this.#runner, recorded, { ...this.#toRun(wanted), session: wanted.session });
  }

  async keepBeginning(session: string): Promise<void> {
    const { readModelPath } = this.#place;
    await keepBeginning(this.#runner.store.readModel, readModelPath, { session, folder: this.#folder() });
  }

  async foundAtEnd(session: string): ReturnType<GatesOfCall["foundAtEnd"]> {
    await catchUp(this.#runner.store.readModel, this.#runner.store.log);
    const row = stateOf(this.#runner.store.readModel).sessions.get(session);
    if (row?.task_id == null || row.driver !== null) return {};
    const { folder: _, runFolder: __, ...wanted } = this.#toRun({ task: row.task_id, session });
    const { work, files } = await foundAtEnd(this.#runner, this.#place.readModelPath, { ...wanted, session });
    return { work, files };
  }

  #folder(): string {
    return this.#place.workspace ?? dirname(ralphFolderOf(this.#place.readModelPath));
  }

  #toRun({ task, session, gate }: WantedGates): GatesToVerify {
    const { readModelPath } = this.#place;
    const known = stateOf(this.#runner.store.readModel).sessions.get(session) !== undefined;
    return {
      task,
      gate,
      // A session that has not started yet runs no gates.
      session: known ? session : undefined,
      folder: this.#folder(),
      runFolder: runFolderBeside(readModelPath),
      config: this.#config,
      keepPasses: gate === undefined,
      signal: this.#stopped,
      onWait: (holder) => {
        this.#say(`Waiting for ${holder?.purpose ?? "gates"} in the same folder.`);
      },
      onStart: ({ gate: number, command }) => {
        this.#say(`Gate ${number} is running: ${shortened(command)}`);
      },
      onProgress: ({ gate: number, command }, { elapsed_ms, lines }) => {
        this.#say(
          `Gate ${number} has been running for ${Math.round(elapsed_ms / 1_000)} s, ${lines} lines so ` +
            `far: ${shortened(command)}`,
        );
      },
    };
  }
}

function shortened(command: string): string {
  return [...visible(command)].slice(0, 200).join("");
}
