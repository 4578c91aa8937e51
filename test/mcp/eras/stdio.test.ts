// @module-tag slice
import { expect, test } from "vitest";
import { createTask } from "../../../src/operations/tasks.ts";
import { freshProject } from "../../support/project.ts";
import { AGREED, CLIENTS } from "./clients.ts";
import { connectProcess } from "./processes.ts";

test.each(CLIENTS)("%s connects to `signalbox mcp` and reports", async (name) => {
  const { project, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const env = { RALPH_TASK_ID: "1", RALPH_SESSION_ID: "s-1", RALPH_DB_PATH: db };
  const client = await connectProcess(name, env);
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: "done", arguments: { summary: "It exports." } });
  expect(tools.map((tool) => tool.name)).toContain("done");
  expect(answer.structuredContent).toMatchObject({ position: await project.log.head() });
  expect(client.getServerVersion()).toMatchObject({ name: "ralph" });
  if ("getNegotiatedProtocolVersion" in client)
    expect(client.getNegotiatedProtocolVersion()).toBe(AGREED[name]);
});
