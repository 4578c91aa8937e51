import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { requireInstalled } from "./installed.ts";

export const RIVAL_PACKAGES = ["@rotorsoft/act-sqlite", "@event-driven-io/emmett-sqlite"];

/** An event store of another package, on a file. */
export interface Rival {
  /** Its own append of one event to the end of a stream, whatever the stream's version. */
  append(stream: string, type: string, payload: object): Promise<unknown>;
  /** Resolves when nothing of an append goes on behind its answer; absent where nothing does. */
  settled?(): Promise<void>;
  close(): unknown;
}

/** @rotorsoft/act-sqlite: `SqliteStore.commit`. WAL and synchronous FULL without being told. */
export async function openActSqlite(path: string): Promise<Rival> {
  const { SqliteStore } = requireInstalled<ActSqlite>("@rotorsoft/act-sqlite");
  // Act takes over unhandled errors; what it does then fails without an author in package.json, and hides the error.
  process.removeAllListeners("uncaughtException").removeAllListeners("unhandledRejection");
  const store = new SqliteStore({ url: `file:${path}` });
  await store.seed();
  return {
    append: (stream, name, data) =>
      store.commit(stream, [{ name, data }], { correlation: "bench", causation: {} }),
    close: () => store.dispose(),
  };
}

/**
 * @event-driven-io/emmett-sqlite: `appendToStream` of its event store. WAL, and SQLite's own synchronous FULL; it
 * opens the file for each append, and closes it behind the answer.
 *
 * Once in some thousand appends its commit fails ("SQL statements in progress"), more often before the file of the
 * append before is closed; as a caller has to, the bench appends again.
 */
export async function openEmmett(path: string, onFailure: () => void): Promise<Rival> {
  const { getSQLiteEventStore } = requireInstalled<EmmettSqlite>("@event-driven-io/emmett-sqlite");
  const store = getSQLiteEventStore({ fileName: path });
  // Closing ends with the removal of the WAL.
  const settled = async () => {
    while (existsSync(`${path}-wal`)) await nextTurn();
  };
  const append = async (stream: string, type: string, data: object): Promise<unknown> => {
    try {
      return await store.appendToStream(stream, [{ type, data }]);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "SQLITE_BUSY")) throw error;
      onFailure();
      await settled();
      return append(stream, type, data);
    }
  };
  return { append, settled, close: () => {} };
}

interface ActSqlite {
  SqliteStore: new (config: {
    url: string;
  }) => {
    seed(): Promise<void>;
    commit(
      stream: string,
      events: readonly { name: string; data: object }[],
      meta: { correlation: string; causation: object },
    ): Promise<unknown>;
    dispose(): Promise<void>;
  };
}

interface EmmettSqlite {
  getSQLiteEventStore(options: { fileName: string }): {
    appendToStream(stream: string, events: readonly { type: string; data: object }[]): Promise<unknown>;
  };
}
