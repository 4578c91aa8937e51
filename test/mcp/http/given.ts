import type { Client as NewClient } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import type { Project } from "../../../src/api/project.ts";
import { listenHttp } from "../../../src/lib/http/listen.ts";
import { openHttpSessions } from "../../../src/mcp/http/http-sessions.ts";
import { makeToken } from "../../../src/mcp/http/tokens.ts";
import { sessionVariables } from "../../../src/mcp/session-variables.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask, type NewTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { type ClientName, INFO, newClient } from "../eras/clients.ts";
import { ENVELOPE } from "../eras/envelope.ts";

/** A project with tasks, each with a session `s-1` and so on and its token, served over HTTP in this process. */
export interface GivenHttp {
  readonly project: Project;
  readonly folder: string;
  readonly db: string;
  readonly url: string;
  readonly tokens: readonly string[];
  /** What the server had to report. */
  readonly reported: unknown[];
  /** The types of the events that agents reported, with their sessions. */
  reports(): Promise<string[]>;
}

export async function givenHttp(...tasks: readonly NewTask[]): Promise<GivenHttp> {
  const { project, folder, db } = await freshProject();
  const reported: unknown[] = [];
  const tokens: string[] = [];
  for (const [index, wanted] of tasks.entries()) {
    const task = index + 1;
    await project.decide(createTask(wanted));
    await project.decide(startSession({ task, session: `s-${task}` }));
    tokens.push(await tokenFor(project, db, task));
  }
  const sessions = openHttpSessions(project.store, db, (error) => reported.push(error));
  const server = await listenHttp(
    { port: 0, host: "127.0.0.1" },
    (own) => (request) => sessions.answer(request, own),
  );
  onTestFinished(async () => {
    await sessions.close();
    await server.close();
  });
  const reports = async () =>
    (await project.log.read(0, 1_000)).flatMap(({ type, actor, correlation }) =>
      actor === "agent" ? [`${type} ${correlation}`] : [],
    );
  return { ...{ project, folder, db, tokens, reported, reports }, url: `${server.printed[0]}/mcp` };
}

/** A token of the session `s-TASK`. */
export async function tokenFor(project: Project, db: string, task: number): Promise<string> {
  const session = `s-${task}`;
  return (await makeToken(project.log, db, { session, variables: sessionVariables(task, session, db) }))
    .token;
}

/** A real client over HTTP. @param client of the SDK's second generation, with handlers of its own */
export async function connectHttp(
  name: ClientName,
  url: string,
  token: string,
  client?: NewClient,
): Promise<OldClient | NewClient> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  if (name === "sdk 1") {
    const old = new OldClient(INFO);
    await old.connect(new OldHttp(new URL(url), { requestInit }));
    onTestFinished(() => old.close());
    return old;
  }
  const made = client ?? newClient(name);
  await made.connect(new NewHttp(new URL(url), { requestInit }));
  onTestFinished(() => made.close());
  return made;
}

/** Sends one request as it is. */
export function post(
  { url, tokens }: Pick<GivenHttp, "url" | "tokens">,
  body: unknown,
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tokens[0]}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** A request that says all about itself, with the headers that it must have. */
export function whole(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const name = params.name ?? params.uri;
  return {
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: { ...ENVELOPE, ...(params._meta ?? {}) } },
    },
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    } as Record<string, string>,
  };
}

/** The body of an answer that came as JSON. */
export async function messageOf(response: Response | Promise<Response>) {
  return (await (await response).json()) as {
    readonly result?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly code: number; readonly message: string };
  };
}
