import { expect, test } from "vitest";
import { connectAgent } from "../support/mcp.ts";
import { freshProject } from "../support/project.ts";

/** Words that some clients or model APIs cannot take in a tool's schema (design.md, MCP). */
const FORBIDDEN = ["$schema", "$ref", "anyOf", "oneOf", "allOf", "exclusiveMinimum", "const"];

test("tools/list is as agreed, to the byte", async () => {
  const { project } = await freshProject();
  const { tools } = await (await connectAgent(project.store, 1, "s-1")).listTools();
  await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot("tools-list.json");
});

test("every tool has a title, four annotations, an input and an output schema, and is loaded always", async () => {
  const { project } = await freshProject();
  const { tools } = await (await connectAgent(project.store, 1, "s-1")).listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "done",
    "partial",
    "stuck",
    "ask",
    "flag",
    "learned",
    "suggest",
    "blocked",
    "update_session_state",
  ]);
  for (const tool of tools) {
    expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
    expect(tool.title).toBeTruthy();
    expect(Object.keys(tool.annotations ?? {})).toHaveLength(4);
    expect(tool.inputSchema).toMatchObject({ type: "object", required: expect.any(Array) });
    expect(tool.outputSchema).toMatchObject({ type: "object" });
    expect(tool._meta).toEqual({ "anthropic/alwaysLoad": true });
    expect(Object.keys(tool.inputSchema)).not.toContain("$schema");
    const text = JSON.stringify(tool);
    for (const word of FORBIDDEN) expect(text).not.toContain(`"${word}":`);
  }
});

test("tools/list of the signal recipe takes at most 1,200 tokens", async () => {
  const { project } = await freshProject();
  const listed = await (await connectAgent(project.store, 1, "s-1")).listTools();
  const BYTES_PER_TOKEN = 4;
  expect(Buffer.byteLength(JSON.stringify(listed)) / BYTES_PER_TOKEN).toBeLessThanOrEqual(1_200);
});
