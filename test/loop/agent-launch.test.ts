import { expect, test } from "vitest";
import { commandLine } from "../../src/loop/agent/command.ts";

/* Catches: a server that an agent is given and may not use, one that it has besides. */
const launch = {
  task: 7,
  session: "s-1",
  promptFile: "/run/prompt.md",
  mcpConfig: "/run/mcp.json",
  servers: ["ralph", "shadcn-ui"],
  conversation: "c-1",
  model: undefined,
  budgetUsd: undefined,
};

test("Claude Code is given the session's servers and no others, and may use the tools of each", () => {
  const { file, args } = commandLine({ kind: "claude", command: "claude", args: ["--last"] }, launch);
  expect(file).toBe("claude");
  expect(args.slice(0, 6)).toEqual([
    "-p",
    "--mcp-config",
    "/run/mcp.json",
    "--strict-mcp-config",
    "--allowedTools",
    "mcp__ralph,mcp__shadcn-ui",
  ]);
  expect(args.at(-1)).toBe("--last");
});
