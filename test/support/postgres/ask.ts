import { Client, type ClientConfig } from "pg";

/** The rows of one statement, on a connection of its own. @throws what the server or the connection answers */
export async function ask<Row extends object = Record<string, unknown>>(
  server: string | ClientConfig,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const config = typeof server === "string" ? { connectionString: server } : server;
  const client = new Client({ connectionTimeoutMillis: 10_000, ...config });
  // A server that is killed after it has answered is no fault of the statement.
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    // The server may be gone: nothing waits for a goodbye.
    client.end().catch(() => {});
  }
}

/** Waits until a condition holds; where it throws, it does not hold yet. @throws after a minute, with what was waited for */
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const patience_ms = 60_000;
  let fault: unknown;
  for (const start = Date.now(); Date.now() - start < patience_ms; ) {
    try {
      if (await holds()) return;
    } catch (error) {
      fault = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Waited a minute in vain until ${what}`, { cause: fault });
}
