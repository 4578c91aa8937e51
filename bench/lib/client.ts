/** A client's connection to its server: an answer for each request. */
export interface Connection {
  ask(request: Request): Promise<Answer>;
  /** Sends a notification. */
  tell(notification: object): unknown;
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly name?: unknown };
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A client that has listed its tools. */
export interface OpenClient {
  /** The result of `tools/list`. */
  readonly listing: unknown;
  /** @throws Error if the call is refused */
  call(call: { name: string; arguments: object }): Promise<unknown>;
}

/** Begins as a client does: with what it needs to know of the server, and then of its tools. It costs next to nothing. */
export async function openClient(connection: Connection, stateless: boolean): Promise<OpenClient> {
  let last = 0;
  const ask = async (method: string, params: object) => {
    const request = {
      jsonrpc: "2.0",
      id: ++last,
      method,
      params: stateless ? { ...params, _meta: ENVELOPE } : params,
    };
    const { result, error } = await connection.ask(request);
    if (error || (typeof result === "object" && result !== null && "isError" in result && result.isError)) {
      throw new Error(`${method} was refused: ${JSON.stringify(error ?? result)}`);
    }
    return result;
  };
  if (stateless) await ask("server/discover", {});
  else {
    await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT });
    await connection.tell({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  const listing = await ask("tools/list", {});
  return { listing, call: (call) => ask("tools/call", call) };
}

export const STATELESS_VERSION = "2026-07-28";

const CLIENT = { name: "bench", version: "0" };

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": CLIENT,
};
