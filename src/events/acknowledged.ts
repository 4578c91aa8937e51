import { appendFileSync, closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { contentOf, writeWhole } from "../lib/write-whole.ts";
import type { Event } from "./types/index.ts";

/** An event that a log has answered for. */
export type Acknowledgement = Pick<Event, "position" | "id">;

/**
 * What a host's programs were answered by a log on servers, in a file that they share: where a standby takes the primary's place that
 * lacks some of it, the host can say what is gone.
 *
 * Each position has a place in the file, the same as the position `PLACES` before it. Two events of one history never have one
 * position, so that programs write at once without a lock, and all of a host's among the last `PLACES` events of the log are there.
 * What another history gives the position of a kept event does not take its place: that event goes to a second file.
 */
export class Acknowledged {
  readonly #path: string;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Does nothing where the file cannot be written: the events are recorded all the same. */
  note(events: readonly Acknowledgement[]): void {
    try {
      for (const run of besideEachOther(events)) {
        const there = this.#at(run);
        for (const [index, event] of run.entries()) {
          const other = there[index];
          if (other?.position === event.position && other.id !== event.id)
            appendFileSync(this.#displaced, `${lineOf(other)}\n`, { mode: 0o600 });
        }
        this.#write(run[0], run.map(lineOf));
      }
    } catch {
      // What is missing here, nobody is told of after a wrong promotion.
    }
  }

  /** Takes events out. */
  forget(events: readonly Acknowledgement[]): void {
    const gone = new Set(events.map(({ id }) => id));
    for (const { position, id } of eventsIn(this.#path)) if (gone.has(id)) this.#write({ position }, [""]);
    const displaced = eventsIn(this.#displaced);
    if (displaced.length === 0) return;
    writeWhole(
      this.#displaced,
      displaced
        .filter(({ id }) => !gone.has(id))
        .map((one) => `${lineOf(one)}\n`)
        .join(""),
    );
  }

  /** By position. */
  list(): readonly Acknowledgement[] {
    const all = [...eventsIn(this.#path), ...eventsIn(this.#displaced)];
    return all.toSorted((one, other) => one.position - other.position);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  get #displaced(): string {
    return `${this.#path}-displaced`;
  }

  /** What stands in the places of a run. */
  #at(run: Run): readonly (Acknowledgement | undefined)[] {
    const places = Buffer.alloc(run.length * PLACE_BYTES);
    readSync(this.#open(), places, 0, places.length, placeOf(run[0]));
    return run.map((_, index) =>
      eventIn(places.toString("latin1", index * PLACE_BYTES, (index + 1) * PLACE_BYTES)),
    );
  }

  #write(first: Pick<Event, "position">, lines: readonly string[]): void {
    const places = lines.map((line) => `${line.padEnd(PLACE_BYTES - 1)}\n`).join("");
    writeSync(this.#open(), places, placeOf(first));
  }

  #open(): number {
    this.#file ??= openSync(this.#path, CREATE, 0o600);
    return this.#file;
  }
}

const lineOf = ({ position, id }: Acknowledgement) => `${position} ${id}`;

const placeOf = ({ position }: Pick<Event, "position">) => (position % PLACES) * PLACE_BYTES;

/** Events whose places follow on each other. */
type Run = [Acknowledgement, ...Acknowledgement[]];

function besideEachOther(events: readonly Acknowledgement[]): readonly Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && placeOf(event) === placeOf(last) + PLACE_BYTES) run.push(event);
    else runs.push([event]);
  }
  return runs;
}

/** A mebibyte. */
const PLACES = 16_384;
const PLACE_BYTES = 64;

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;

const LINE = /^(\d+) ([0-9a-f-]{36}) *$/m;

function eventIn(line: string): Acknowledgement | undefined {
  const [, position, id] = LINE.exec(line) ?? [];
  return id === undefined ? undefined : { position: Number(position), id };
}

/** None where there is no file, or it cannot be read. */
function eventsIn(path: string): readonly Acknowledgement[] {
  // Places that were never written are zeros.
  const text = contentOf(path)?.replaceAll("\0", "") ?? "";
  return text.split("\n").flatMap((line) => eventIn(line) ?? []);
}
