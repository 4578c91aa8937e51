import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { onTestFinished } from "vitest";
import type { Project } from "../../../src/api/project.ts";
import { packagePath } from "../../../src/lib/package-root.ts";
import { type Context, signalsContext } from "../../../src/mcp/context.ts";
import { listenAt, type Relay } from "../../../src/mcp/relay/listen.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask, type NewTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";

/** A project whose tasks have a session each, `s-1` and so on, and a relay for each session in this process. */
export interface GivenRelay {
  readonly project: Project;
  readonly folder: string;
  readonly db: string;
  /** The relay of a task's session. */
  relay(task: number): Relay;
  /** Its socket. */
  socket(task: number): string;
  /** What the relays had to report. */
  readonly reported: unknown[];
  /** The events of agents, as `type session`, in order. */
  reports(): Promise<string[]>;
}

export async function givenRelay(
  tasks: readonly NewTask[],
  context: Partial<Context> = {},
): Promise<GivenRelay> {
  const { project, folder, db } = await freshProject();
  return { ...(await relaysOf(project, { folder, db }, tasks, context)), db, folder };
}

/** The same on a project that is open already and has no tasks. */
export async function relaysOf(
  project: Project,
  { folder, db }: { readonly folder: string; readonly db: string },
  tasks: readonly NewTask[],
  context: Partial<Context> = {},
): Promise<Omit<GivenRelay, "folder" | "db">> {
  const socket = (task: number) => join(folder, `${task}.sock`);
  const reported: unknown[] = [];
  const relays: Relay[] = [];
  for (const [index, wanted] of tasks.entries()) {
    const task = index + 1;
    await project.decide(createTask(wanted));
    await project.decide(startSession({ task, session: `s-${task}` }));
    const { bare: _, ...whole } = signalsContext(`s-${task}`, task);
    const launch = { context: { ...whole, ...context }, databasePath: db, runsGates: true };
    const relay = await listenAt(socket(task), launch, {
      store: project.store,
      report: (error) => reported.push(error),
    });
    onTestFinished(() => relay.close());
    relays.push(relay);
  }
  return {
    ...{ project, socket, reported },
    relay(task) {
      const relay = relays[task - 1];
      if (!relay) throw new Error(`There is no task ${task}.`);
      return relay;
    },
    async reports() {
      return (await project.log.read(0, 1_000)).flatMap(({ type, actor, correlation }) =>
        actor === "agent" ? [`${type} ${correlation}`] : [],
      );
    },
  };
}

/** An agent's client whose server is `signalbox mcp --via SOCKET`, with nothing else in its environment but what is given. */
export async function clientVia(socket: string, env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [packagePath("bin/signalbox.js"), "mcp", "--via", socket],
      env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...env },
    }),
  );
  return client;
}

/** A connection of some program that is no client; it may end at any time. */
export function rawConnection(socket: string): Socket {
  const connection = connect(socket);
  connection.on("error", () => {});
  onTestFinished(() => void connection.destroy());
  return connection;
}
