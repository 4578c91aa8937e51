import type { Connection } from "./connection.ts";
import {
  type Appended,
  AppendedRecords,
  type AppendRequest,
  appendedBefore,
  BATCH_LIMIT,
  type EventRecord,
  exactToIsoTime,
  headMoved,
  LogError,
  leafHash,
  moved,
  PROGRAM_LEVEL,
  streamMoved,
  tagsOf,
} from "./core.ts";
import type { Lane, Line } from "./lane.ts";
import { COLUMNS, toRecords } from "./rows.ts";
import { isPassing } from "./server-error.ts";

interface Options {
  readonly line: Line;
  readonly lane: Lane;
  readonly patience_ms: number;
  /** Gives events the environment's time, not the server's: for tests, as the log's owner. */
  readonly ownClock: boolean;
  /**
   * After a group of which something was appended.
   *
   * @param hasLed the server appended what waited, of all processes, for this group: the others do not tell of theirs
   */
  onAppended(head: number, connection: Connection, hasLed: boolean): void;
}

/**
 * Appends of this process: one group is under way, and those that come meanwhile are the next one. The server appends the groups of all
 * processes in one durable commit (take.ts).
 */
export class Appends {
  readonly #options: Options;
  #waiting: Call[] = [];
  #running: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  append(request: AppendRequest): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when every call so far is answered. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Calls of one turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#send(this.#nextGroup());
    this.#running = undefined;
  }

  /** The longest beginning of what waits that fits into one request, and in which no id is twice. */
  #nextGroup(): readonly Call[] {
    const ids = new Set<string>();
    let bytes = 0;
    let size = 0;
    for (const { request } of this.#waiting) {
      for (const { encoded } of request.events) bytes += encoded.payload.length;
      const isTwin = request.events.some(({ id }) => ids.has(id));
      const isFull =
        ids.size + request.events.length > BATCH_LIMIT || bytes > GROUP_BYTES || size === GROUP_CALLS;
      if (size > 0 && (isTwin || isFull)) break;
      for (const { id } of request.events) ids.add(id);
      size++;
    }
    return this.#waiting.splice(0, size);
  }

  async #send(group: readonly Call[]): Promise<void> {
    const { line, lane, patience_ms, ownClock, onAppended } = this.#options;
    const { environment, known } = line;
    // Made once, so that a repeated request is the same.
    const salts = group.map(({ request }) => request.events.map(({ id }) => environment.newSalt(id)));
    const values = requestOf(group, salts, ownClock ? environment.now() : undefined);
    let wasSent = false;
    try {
      const settle = await lane.use(patience_ms, async (connection) => {
        wasSent = true;
        const { answers, hasLed } = await take(connection, values);
        const settle = await Promise.all(
          group.map((call, index) => settlement(call, answers[index], salts[index] ?? [], connection)),
        );
        let head = 0;
        for (const { last } of settle) {
          if (!last) continue;
          known.note(last);
          head = last.position;
        }
        if (head > 0) onAppended(head, connection, hasLed);
        return settle;
      });
      for (const { answer } of settle) answer();
    } catch (error) {
      if (error instanceof LogError && error.code === "server" && group.length > 1) {
        // One of them is at fault.
        for (const call of group) await this.#send([call]);
        return;
      }
      const isUnknown = wasSent && error instanceof LogError && error.code === "busy";
      for (const { reject } of group) reject(isUnknown ? commitUnknown(error) : error);
    }
  }
}

interface Call {
  readonly request: AppendRequest;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

const GROUP_CALLS = 1_000;
/** In UTF-16 units of payload. */
const GROUP_BYTES = 4 << 20;

/** The arguments of `post` after client and turn. */
function requestOf(
  group: readonly Call[],
  salts: readonly (readonly Uint8Array[])[],
  now_us: number | undefined,
): unknown[] {
  const events = group.flatMap(({ request }, call) =>
    request.events.map(({ id, encoded }, index) => ({
      id,
      encoded,
      call: call + 1,
      salt: salts[call]?.[index],
    })),
  );
  const each = <T>(of: (event: (typeof events)[number]) => T) => events.map(of);
  const conditions = group.map(({ request }) => request.condition);
  return [
    PROGRAM_LEVEL,
    now_us ?? null,
    each(({ call }) => call),
    each(({ id }) => id),
    each(({ encoded }) => encoded.stream),
    each(({ encoded }) => encoded.type),
    each(({ encoded }) => encoded.schemaVersion),
    each(({ encoded }) => encoded.payload),
    each(({ salt }) => `\\x${Buffer.from(salt ?? []).toString("hex")}`),
    each(({ encoded }) => encoded.actor),
    each(({ encoded }) => encoded.causation ?? null),
    each(({ encoded }) => encoded.correlation ?? null),
    each(({ encoded: { type, stream, payload } }) =>
      // The payload was encoded from an event of this type.
      joined(tagsOf({ type, stream, payload: JSON.parse(payload) } as Parameters<typeof tagsOf>[0])),
    ),
    conditions.map(({ expectedHead }) => expectedHead ?? null),
    conditions.map(({ expectedStreamVersion }) => expectedStreamVersion?.stream ?? null),
    conditions.map(({ expectedStreamVersion }) => expectedStreamVersion?.version ?? null),
    conditions.map(({ unless }) => unless?.after ?? null),
    conditions.map(({ unless }) => (unless ? joined(unless.tags) : null)),
  ];
}

/** One text of several tags. Two that differ only in this character count as one, which refuses more, never less. */
function joined(tags: readonly string[]): string {
  return tags.map((tag) => tag.replaceAll(SEPARATOR, " ")).join(SEPARATOR);
}

const SEPARATOR = "\u001f";

/** Both in one round trip. @throws errors of pg; LogError `busy`: the request must be sent again */
async function take(
  connection: Connection,
  values: readonly unknown[],
): Promise<{ readonly answers: readonly Answer[]; readonly hasLed: boolean }> {
  const { schema, id } = connection;
  const turn = connection.nextTurn();
  const post = connection.query(`SELECT ${schema}.post($1, $2, ${PARAMETERS})`, [id, turn, ...values]);
  const taken = (isAlone: boolean) =>
    connection.durably(`SELECT mine, has_led FROM ${schema}.take($1, $2, $3)`, [id, turn, isAlone]);
  // Who leads the requests of others must not fail with one of theirs.
  const answered = taken(false).catch((error) =>
    error instanceof LogError || isPassing(error) ? Promise.reject(error) : taken(true),
  );
  const [, { rows }] = await Promise.all([post, answered]);
  const [answer, hasLed] = rows[0] ?? [];
  if (typeof answer !== "string")
    throw new LogError("busy", "The log's server restarted before it took the request.");
  return { answers: JSON.parse(answer), hasLed: hasLed === "t" };
}

const PARAMETERS = Array.from({ length: 18 }, (_, index) => `$${index + 3}`).join(", ");

/** What `take` says of one call. */
type Answer =
  | {
      readonly outcome: "appended";
      readonly position: number;
      readonly us: string;
      readonly versions: readonly number[];
    }
  | { readonly outcome: "before" }
  | { readonly outcome: "head"; readonly head: number }
  | { readonly outcome: "stream"; readonly version: number }
  | { readonly outcome: "moved"; readonly position: number; readonly type: string }
  | { readonly outcome: "time"; readonly position: number; readonly last: string };

interface Settlement {
  answer(): void;
  /** The last record that was appended, if any was. */
  readonly last?: EventRecord | undefined;
}

async function settlement(
  { request, resolve, reject }: Call,
  answer: Answer | undefined,
  salts: readonly Uint8Array[],
  connection: Connection,
): Promise<Settlement> {
  const refused = (error: LogError): Settlement => ({ answer: () => reject(error) });
  const { condition } = request;
  switch (answer?.outcome) {
    case "appended": {
      const placed = new PlacedRecords(request, answer, salts);
      return {
        answer: () => resolve(new AppendedRecords("appended", placed)),
        last: placed.at(request.events.length - 1),
      };
    }
    case "before": {
      const { rows } = await connection.query(
        `SELECT ${COLUMNS} FROM ${connection.schema}.events e WHERE id = ANY ($1)`,
        [request.events.map(({ id }) => id)],
      );
      try {
        const records = new Map((await toRecords(rows, connection)).map((record) => [record.id, record]));
        const events = request.events.map((event) => ({ ...event, isNewId: false }));
        const before = appendedBefore({ ...request, events }, { find: (id) => records.get(id) });
        return { answer: () => resolve(new AppendedRecords("appended_before", before ?? [])) };
      } catch (error) {
        if (error instanceof LogError) return refused(error);
        throw error;
      }
    }
    case "head":
      return refused(headMoved(answer.head, condition.expectedHead));
    case "stream": {
      const expected = condition.expectedStreamVersion;
      return refused(streamMoved(expected?.stream, answer.version, expected?.version));
    }
    case "moved":
      return refused(moved(answer.position, answer.type, condition.unless?.after));
    case "time":
      return refused(timeError(answer));
    case undefined:
      throw new Error("The log's server answered fewer calls than were posted.");
  }
}

/** The records of an appended call, made when they are looked at: most callers of a large batch never look. */
class PlacedRecords {
  readonly #request: AppendRequest;
  readonly #answer: Extract<Answer, { outcome: "appended" }>;
  readonly #salts: readonly Uint8Array[];

  constructor(
    request: AppendRequest,
    answer: Extract<Answer, { outcome: "appended" }>,
    salts: readonly Uint8Array[],
  ) {
    this.#request = request;
    this.#answer = answer;
    this.#salts = salts;
  }

  at(index: number): EventRecord | undefined {
    const event = this.#request.events[index];
    const streamVersion = this.#answer.versions[index];
    const salt = this.#salts[index];
    if (!event || streamVersion === undefined || !salt) return undefined;
    const record = {
      ...event.encoded,
      id: event.id,
      position: this.#answer.position + index,
      streamVersion,
      recordedAt: exactToIsoTime(BigInt(this.#answer.us) + BigInt(index)),
      salt: Buffer.from(salt),
    };
    return { ...record, leafHash: leafHash(record) };
  }

  *[Symbol.iterator](): Iterator<EventRecord> {
    for (let index = 0; index < this.#request.events.length; index++) {
      const record = this.at(index);
      if (record) yield record;
    }
  }
}

function timeError({ position, last }: Extract<Answer, { outcome: "time" }>): LogError {
  return new LogError(
    "time_out_of_range",
    `The next event would be recorded after the year 9999, which the log cannot store: the log's last event (position ${position}) is of ` +
      `${exactToIsoTime(BigInt(last))}, or the clock of its server is wrong. Set the clock; if the event is wrong, restore a backup from before it.`,
  );
}

function commitUnknown(cause: LogError): LogError {
  return new LogError(
    "commit_unknown",
    `The log's server did not answer in time; these events may or may not be in the log. Append them again with the same ids. (${cause.message})`,
    { cause },
  );
}
