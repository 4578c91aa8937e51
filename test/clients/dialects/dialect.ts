import type { ServerResponse } from "node:http";

/** One API of a model: how its requests are read, and its answers written. */
export interface Dialect {
  /** The part of the URL by which its requests are known. */
  readonly path: RegExp;
  read(body: Readonly<Record<string, unknown>>): Asked;
  write(response: ServerResponse, answer: Answer): void;
  /** The body of an answer that is an error. */
  error(error: {
    readonly status: number;
    readonly type: string;
    readonly message: string;
    readonly details: readonly unknown[] | undefined;
    readonly more: Readonly<Record<string, unknown>> | undefined;
  }): unknown;
}

export interface Asked {
  readonly model: string;
  readonly stream: boolean;
  /** The names of the tools that the client offers. */
  readonly tools: readonly string[];
  /** With what the conversation begins. */
  readonly first: string;
}

export interface Answer {
  /** Of this turn; the ids of its calls begin with it. */
  readonly id: string;
  readonly model: string;
  readonly stream: boolean;
  readonly text: string;
  readonly tools: readonly {
    readonly name: string;
    /** Of OpenAI's responses: the group of tools in which it is. */
    readonly namespace?: string;
    readonly input: Readonly<Record<string, unknown>>;
  }[];
  readonly usage: { readonly input: number; readonly output: number };
}

/** The objects of a list in a request. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}

/** Writes events as the client reads them, the last one closing the answer. */
export function writeEvents(
  response: ServerResponse,
  events: readonly (readonly [name: string | null, data: unknown])[],
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [name, data] of events)
    response.write(
      `${name === null ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
    );
  response.end();
}

export function writeJson(response: ServerResponse, data: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(data));
}
