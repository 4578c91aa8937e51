import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import {
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import type { Project } from "../../../src/api/project.ts";
import { signalsContext } from "../../../src/mcp/context.ts";
import { type AgentServer, createServer } from "../../../src/mcp/server.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject, givenConfig } from "../../support/project.ts";

/** A form that lies before the human of a test. */
export interface ShownForm {
  readonly params: ElicitRequestFormParams;
  /** Aborted when the server takes it back. */
  readonly takenBack: AbortSignal;
  answer(result: unknown): void;
  fail(error: Error): void;
}

/** The human at a client, who answers when the test says so. */
export class Human {
  readonly forms: ShownForm[] = [];
  readonly #waiting: (() => void)[] = [];

  /** The form of this place in the order in which they are shown, 0 for the first; waits until it is there. */
  async form(place = 0): Promise<ShownForm> {
    for (;;) {
      const form = this.forms[place];
      if (form) return form;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  sitAt(client: Client): void {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
      if (!("requestedSchema" in params)) throw new Error("That is no form.");
      return new Promise<ElicitResult>((resolve, reject) => {
        // A client can send back anything; what a test says is sent as it is.
        const answer = (result: unknown) => resolve(result as ElicitResult);
        this.forms.push({ params, takenBack: signal, answer, fail: reject });
        for (const wake of this.#waiting.splice(0)) wake();
      });
    });
  }
}

export interface GivenHuman {
  readonly project: Project;
  readonly folder: string;
  readonly db: string;
  readonly agent: Client;
  readonly human: Human;
  readonly server: AgentServer;
  /** What the server reports as gone wrong. */
  readonly errors: string[];
  /** The methods of all that the client hears besides answers. */
  readonly heard: string[];
}

export const FORMS = { elicitation: { form: {} } };

/** An agent in session s-1 of task 1, at a client with a human; `config` is the project's. */
export async function givenHuman({
  config = { answers: { now: true } },
  capabilities = FORMS,
}: {
  config?: unknown;
  capabilities?: object;
} = {}): Promise<GivenHuman> {
  const { project, folder, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  givenConfig(folder, config);
  const errors: string[] = [];
  const server = createServer({
    context: signalsContext("s-1", 1),
    open: async () => project.store,
    readModelPath: db,
    report: (error) => errors.push(error instanceof Error ? error.message : String(error)),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const agent = new Client({ name: "test", version: "1" }, { capabilities });
  const human = new Human();
  if ("elicitation" in capabilities) human.sitAt(agent);
  await agent.connect(ours);
  const heard: string[] = [];
  const { onmessage } = ours;
  ours.onmessage = (message) => {
    if ("method" in message) heard.push(message.method);
    onmessage?.(message);
  };
  onTestFinished(() => agent.close());
  return { project, folder, db, agent, human, server, errors, heard };
}

/** A blocking question with options. */
export const ASK = {
  question: "Sync or async?",
  blocking: true,
  options: ["sync", "async"],
  preferred: "async",
};

/** What a blocking ask is answered where nobody is asked at once; the README prints it. */
export const CLOSE = "If you cannot go on, call partial now: the task then waits for a human's answer.";

/** Resolves when a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
}
