// @module-tag slice
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { EventLog } from "../../src/events/log.ts";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import { openSqliteLog } from "../../src/events/sqlite-log.ts";
import { type Child, useChild } from "../children.ts";
import { everythingIn, numbers, positionsOf, temporaryFolder } from "../events/given.ts";
import { batchesOf } from "../events/marked-batch.ts";
import { type Answer, announcedBatch, batchName, idAsSent, type Line, parseLine } from "./announced-batch.ts";
import { campaign } from "./campaign.ts";
import { expectWholeProject } from "./whole-project.ts";

/*
 * Catches: an acknowledgement before the commit, a batch in two transactions, an id that is forgotten with the process
 * that used it, a batch that is written again when it is sent again, a read model whose rows and checkpoint do not
 * change together.
 */

const startWriter = useChild("test/survival/children/write-announced.ts");

const WRITERS = 8;
/** How often each writer is killed and replaced in one project: 56 kills are a point. */
const KILLS_EACH = 7;

/** A writer is killed some time after it has said so often that it is sending a batch, or that one is written. */
interface Moment {
  readonly said: "sending" | "written";
  readonly times: number;
  readonly then_ms: number;
}

campaign({
  line: "kill-random",
  promise:
    "killed at random with 8 processes writing; each caller that got no answer sends again with the same id and gets the position of the first",
  small: 1,
  large: 36,
  open: () => {},
  async point(number) {
    const folder = temporaryFolder();
    const path = join(folder.path, "ralph.db");
    createLogFile(logPathBeside(path));
    const log = openSqliteLog(logPathBeside(path), systemEnvironment());
    const writers = numbers(WRITERS).map((writer) => new Writer(path, `writer${writer}`, log));
    try {
      const moments = momentsOf(number);
      await Promise.all(writers.map((writer, index) => writer.liveThrough(moments[index] ?? [])));
      // Until here those that were killed for the last time were writing beside the others.
      await Promise.all(writers.map((writer) => writer.end()));

      const events = await everythingIn(log);
      expect(positionsOf(events)).toEqual(numbers(events.length));
      const answered = new Map(writers.flatMap((writer) => [...writer.answered]));
      expect(batchesOf(events)).toEqual(answered);
      expect(events.map(({ id }) => id)).toEqual(events.map(idAsSent));
      await expectWholeProject(path);
      return {
        kills: WRITERS * KILLS_EACH,
        events: events.length,
        unanswered: writers.reduce((sum, { unanswered }) => sum + unanswered, 0),
        written_all_the_same: writers.reduce((sum, { written }) => sum + written, 0),
      };
    } finally {
      await Promise.all(writers.map((writer) => writer.kill()));
      await log.close();
      folder.remove();
    }
  },
  conclude({ unanswered = 0, written_all_the_same: written = 0 }, points) {
    expect(unanswered - written, "batches that were announced and not written").toBeGreaterThan(0);
    // Few kills fall between the commit and the answer; a single project may have none.
    if (points > 10) expect(written, "batches that were written and not answered").toBeGreaterThan(0);
  },
});

function momentsOf(point: number): Moment[][] {
  const moment = fc.record<Moment>({
    said: fc.constantFrom("sending", "written"),
    times: fc.integer({ min: 2, max: 8 }),
    then_ms: fc.double({ min: 0, max: 5, noNaN: true }),
  });
  const ofWriter = fc.array(moment, { minLength: KILLS_EACH, maxLength: KILLS_EACH });
  return fc.sample(ofWriter, { seed: point, numRuns: WRITERS });
}

/** One caller: a process and those that take its place, all of them sending the batches of one label. */
class Writer {
  /** The positions of each batch, as its caller was told. */
  readonly answered = new Map<string, readonly number[]>();
  /** How many batches were announced and not answered when their process was killed. */
  unanswered = 0;
  /** How many of these were in the log all the same. */
  written = 0;
  readonly #path: string;
  readonly #label: string;
  readonly #log: EventLog;
  #child: Child | undefined;
  /** The batch that was announced and is not answered yet. */
  #sending: number | undefined;
  /** The first batch that was not answered. */
  #next = 1;

  constructor(path: string, label: string, log: EventLog) {
    this.#path = path;
    this.#label = label;
    this.#log = log;
  }

  /** Is killed at each of the moments and replaced at once; the last replacement stays, writing. */
  async liveThrough(moments: readonly Moment[]): Promise<void> {
    let child = this.#start();
    for (const moment of moments) {
      await this.#killAt(moment, child);
      const number = this.#next;
      const unanswered = this.#sending !== undefined;
      // Nobody else sends this batch, and its process is gone: what is there now is all that it has written.
      const before = await positionsOfBatch(this.#log, announcedBatch(this.#label, number));
      child = this.#start();
      const outcome = await this.#firstOutcome(child);
      expect(outcome).toBe(before.length > 0 ? "appended_before" : "appended");
      if (before.length > 0) expect(this.answered.get(batchName(this.#label, number))).toEqual(before);
      if (unanswered) this.unanswered++;
      if (before.length > 0) this.written++;
    }
  }

  /** Lets the present process come to its end. */
  async end(): Promise<void> {
    this.#child?.tell("end");
    for (const line of (await this.#child?.finish()) ?? []) this.#note(line);
    expect(this.#sending).toBeUndefined();
  }

  async kill(): Promise<void> {
    await this.#child?.kill();
  }

  #start(): Child {
    this.#sending = undefined;
    this.#child = startWriter(this.#path, this.#label, String(this.#next));
    return this.#child;
  }

  async #killAt({ said, times, then_ms }: Moment, child: Child): Promise<void> {
    let heard = 0;
    for await (const text of child.lines) {
      const line = this.#note(text);
      if (line && said in line && ++heard === times) {
        void delay(then_ms).then(() => child.process.kill("SIGKILL"));
      }
    }
    // Whoever was not killed has failed, and says why.
    if (!child.process.killed) await child.finish();
    await child.kill();
  }

  /** How the first batch of a process is answered. */
  async #firstOutcome(child: Child): Promise<Answer["outcome"]> {
    for (;;) {
      const { value, done } = await child.lines.next();
      if (done) throw new Error(`${this.#label} ended unasked: ${await child.finish()}`);
      const line = this.#note(value);
      if (line && "answered" in line) return line.outcome;
    }
  }

  #note(text: string): Line | undefined {
    const line = parseLine(text);
    if (line && "sending" in line) this.#sending = line.sending;
    if (line && "answered" in line) {
      this.answered.set(batchName(this.#label, line.answered), line.positions);
      this.#next = line.answered + 1;
      this.#sending = undefined;
    }
    return line;
  }
}

/** Where a batch is in the log: at the positions of all its events, or nowhere. */
async function positionsOfBatch(log: EventLog, batch: ReturnType<typeof announcedBatch>): Promise<number[]> {
  const found = await Promise.all(batch.map(({ id }) => log.find(id)));
  const positions = found.flatMap((event) => event?.position ?? []);
  expect([0, batch.length], "positions of a batch that was sent by a killed process").toContain(
    positions.length,
  );
  return positions;
}
