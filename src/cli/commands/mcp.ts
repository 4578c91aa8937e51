import type { Command } from "commander";

export function addMcp(program: Command): void {
  program
    .command("mcp")
    .description("serve the MCP tools of one session over stdin and stdout, for an agent")
    .option("--db <path>", "the read model's file; absent: RALPH_DB_PATH")
    .addHelpText(
      "after",
      `
Environment: RALPH_TASK_ID, RALPH_SESSION_ID, RALPH_DB_PATH, as \`signalbox session start TASK --json\` prints them.

Example, in a client's MCP configuration:
  {"mcpServers": {"ralph": {"command": "signalbox", "args": ["mcp"], "env": {"RALPH_TASK_ID": "1", …}}}}`,
    )
    .action(async (options: { db?: string }) => {
      const { serve } = await import("./mcp-serve.ts");
      await serve(options);
    });
}
