import { randomUUID } from "node:crypto";
import pg, { type Client, type Notification } from "pg";
import { LogError, whenPatienceEnds } from "./core.ts";
import { quoted } from "./schema.ts";
import type { PostgresPlace } from "./url.ts";

/** A row as PostgreSQL writes it, column by column. */
export type Row = readonly (string | null)[];

/** One connection to the server; it ends with the first failure, and is not used again. */
export class Connection {
  readonly #client: Client;
  readonly server: PostgresPlace["servers"][number];
  /** The quoted name of the log's schema. */
  readonly schema: string;
  /** The place of this connection in `waiting`. */
  readonly id = randomUUID();
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Of the statements that the server keeps for this connection, by their texts. */
  readonly #names = new Map<string, string>();
  #hasEnded = false;
  #turns = 0;
  #warnings = 0;

  /**
   * @param given_up aborted when nobody wants it any more
   * @throws errors of pg, of Node's net and tls
   */
  static async open(
    place: PostgresPlace,
    server: PostgresPlace["servers"][number],
    timeout_ms: number,
    given_up?: AbortSignal,
  ): Promise<Connection> {
    const client = new pg.Client({
      ...server.config,
      application_name: "signalbox",
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      pipeline: true,
      types: { getTypeParser: () => (value: unknown) => value },
    });
    const connection = new Connection(client, server, quoted(place.schema));
    const giveUp = () => connection.destroy();
    const stopWaiting = connection.giveUpAfter(timeout_ms);
    given_up?.addEventListener("abort", giveUp);
    try {
      await client.connect();
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      stopWaiting();
      given_up?.removeEventListener("abort", giveUp);
    }
    return connection;
  }

  private constructor(client: Client, server: PostgresPlace["servers"][number], schema: string) {
    this.#client = client;
    this.server = server;
    this.schema = schema;
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.#hasEnded = true;
        resolve();
      };
      // Without a listener, an error ends the process.
      client.on("error", end);
      client.on("end", end);
    });
    client.on("notice", ({ code }) => {
      if (code !== "00000") this.#warnings++;
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The number of the next request in `waiting`. */
  nextTurn(): number {
    return ++this.#turns;
  }

  /**
   * Queries are sent at once, and answered in their order. The server parses and plans a text once for each connection, and keeps it: do
   * not write values into it.
   *
   * @throws errors of pg
   */
  query(text: string, values: readonly unknown[] = []): Promise<{ readonly rows: readonly Row[] }> {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `signalbox_${this.#names.size}`;
      this.#names.set(text, name);
    }
    // With rowMode, rows are arrays, and the type parser leaves texts; pg's types do not say so.
    return this.#client.query({ name, text, values: [...values], rowMode: "array" }) as unknown as Promise<{
      rows: Row[];
    }>;
  }

  /**
   * A statement whose commit must be durable: a commit whose wait for the standbys is cancelled succeeds, with a warning.
   *
   * @throws errors of pg; LogError `busy`: it has to be done again, until a standby confirms
   */
  async durably(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }> {
    const before = this.#warnings;
    const result = await this.query(text, values);
    if (this.#warnings === before) return result;
    throw new LogError("busy", "The log's server has committed, but no standby has confirmed it.");
  }

  /** Several statements, without parameters. @throws errors of pg */
  async script(text: string): Promise<void> {
    await this.#client.query(text);
  }

  onNotice(notify: (notice: Notification) => void): void {
    this.#client.on("notification", notify);
  }

  close(): void {
    this.#hasEnded = true;
    this.#client.end().catch(() => {});
    // A server that is away does not answer the goodbye.
    setTimeout(() => this.destroy(), GOODBYE_MS).unref();
  }

  /** Ends it if what is under way takes longer than that, until the wait is ended. */
  giveUpAfter(patience_ms: number): () => void {
    return whenPatienceEnds(patience_ms, () => this.destroy(new LateError(patience_ms)));
  }

  /** Ends it without waiting for what is under way. */
  destroy(cause?: Error): void {
    this.#hasEnded = true;
    // The socket of pg has no public name.
    const { connection } = this.#client as unknown as {
      readonly connection?: { readonly stream?: { destroy(cause?: Error): void } };
    };
    connection?.stream?.destroy(cause);
  }
}

/** That a server did not answer in time. */
export class LateError extends Error {
  readonly code = "ETIMEDOUT";

  constructor(patience_ms: number) {
    super(`did not answer within ${patience_ms} ms`);
  }
}

const GOODBYE_MS = 1_000;
