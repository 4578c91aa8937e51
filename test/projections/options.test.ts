import { expect, test } from "vitest";
import { definitionOf } from "../../src/events/types/index.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { choicesOf } from "../../src/queries/inbox.ts";
import { callTool, connectAgent } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

/* Catches: an option that passes for two, wherever an ask is read. */
test("a line break in an option is a space wherever the ask is shown", async () => {
  const { project } = await freshProject();
  await project.decide(createTask({ title: "Export" }));
  const client = await connectAgent(project.store, 1, "s-1");
  const options = ["sync\n- async", "none\r\nat all", "later"];
  await callTool(client, "ask", { question: "How?", blocking: true, options, preferred: "none\r\nat all" });
  const listed = "**Options:**\n- sync - async\n- none at all\n- later";

  const [ask] = (await project.log.read(0, 100)).filter(({ type }) => type === "signal.ask");
  const words = ask && definitionOf(ask.type)?.timeline(ask.payload);
  expect(words?.split("\n\n").at(-1)).toBe(listed);
  const timeline = await project.queries.sql("SELECT body FROM signals");
  expect(timeline).toEqual([{ body: expect.stringContaining(listed) }]);
  const [item] = await project.queries.inbox({ all: true });
  expect(item).toMatchObject({ options: ["sync - async", "none at all", "later"], preferred: "none at all" });
  expect(item && choicesOf(item)).toEqual(["none at all", "sync - async", "later"]);
});
