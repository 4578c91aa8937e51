import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Observable, share } from "rxjs";
import type { Connection } from "./connection.ts";
import type { Lane } from "./lane.ts";

/** The channel of a log's notices; names of any length fit. */
export function channelOf(schema: string): string {
  return `signalbox_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}

/**
 * Emits when other processes may have appended: at their notices, and regularly, since a notice can get lost. One connection of its own
 * for all subscribers, made for the first and ended after the last; a pool between would drop what it listens to.
 */
export function wakesOf(lane: Lane, schema: string): Observable<void> {
  return new Observable<void>((subscriber) => {
    const ended = new AbortController();
    const { signal } = ended;
    let isListening = false;
    const wake = () => subscriber.next();
    const listen = async () => {
      while (!signal.aborted) {
        try {
          // While the server is away, followers go on looking; they tell of other errors.
          const connection = await lane.use(LISTEN_MS, (connection) => listenOn(connection, schema, wake));
          if (signal.aborted) return connection.close();
          isListening = true;
          wake();
          await connection.ended;
        } catch {
          // Looking goes on.
        }
        isListening = false;
        await delay(LOOK_AWAY_MS, undefined, { signal }).catch(() => {});
      }
    };
    const look = async () => {
      while (!signal.aborted) {
        await delay(isListening ? LOOK_MS : LOOK_AWAY_MS, undefined, { signal }).catch(() => {});
        if (!signal.aborted) wake();
      }
    };
    void listen();
    void look();
    return () => {
      ended.abort();
      void lane.close();
    };
  }).pipe(share());
}

const LISTEN_MS = 60_000;
const LOOK_MS = 1_000;
const LOOK_AWAY_MS = 250;

async function listenOn(connection: Connection, schema: string, notify: () => void): Promise<Connection> {
  connection.onNotice(notify);
  await connection.query(`LISTEN ${channelOf(schema)}`);
  return connection;
}

/** Notices of what this process appended, at most one in 5 ms: each takes a lock of the whole server. */
export class Notices {
  readonly #channel: string;
  #timer: NodeJS.Timeout | undefined;
  #sent_ms = 0;
  #head = 0;

  constructor(schema: string) {
    this.#channel = channelOf(schema);
  }

  /** @param now_ms a monotonic clock */
  send(head: number, connection: Connection, now_ms: number): void {
    this.#head = Math.max(this.#head, head);
    if (this.#timer) return;
    const wait_ms = this.#sent_ms + NOTICE_MS - now_ms;
    const notify = () => {
      this.#timer = undefined;
      this.#sent_ms = now_ms + Math.max(0, wait_ms);
      // A notice that gets lost costs its followers one look.
      if (!connection.hasEnded)
        connection.query("SELECT pg_notify($1, $2)", [this.#channel, String(this.#head)]).catch(() => {});
    };
    if (wait_ms <= 0) notify();
    else this.#timer = setTimeout(notify, wait_ms).unref();
  }
}

const NOTICE_MS = 5;
