import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Project } from "../../../src/api/project.ts";
import type { NewEvent } from "../../../src/events/event.ts";
import { createTask } from "../../../src/operations/tasks.ts";
import { connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";

/** A project with task 1, and a client of a server with the smallest recipe. */
export async function givenClient(): Promise<{ project: Project; folder: string; client: Client }> {
  const { project, folder } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  return { project, folder, client: await connectWith(project.store, { recipe: "signals", task_id: 1 }) };
}

/** The text that a resource shows. */
export async function textOf(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (contents.length !== 1 || content?.uri !== uri || !("text" in content)) {
    throw new Error(`${uri} has other contents: ${JSON.stringify(contents)}`);
  }
  return content.text;
}

/** The value that a resource of JSON shows. */
export async function shownBy(client: Client, uri: string): Promise<unknown> {
  return JSON.parse(await textOf(client, uri));
}

/** An event as `createTask` makes it; many tasks are there sooner so. */
export function taskCreated(task: number): NewEvent {
  const fields = { title: `Task ${task}`, description: "", feature: "general", discipline: "general" };
  const rest = {
    priority: "medium",
    status: "pending",
    accept: "auto",
    gates: [],
    criteria: [],
    depends_on: [],
  };
  return { type: "task.created", actor: "human", payload: { task, ...fields, ...rest } };
}
