import { parse } from "smol-toml";
import { z } from "zod";
import type { ClientName } from "../../src/mcp/client-names.ts";

const entry = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});

/** How a client starts the server `ralph`, read from its configuration as it would read it. @throws if it is not there */
export function entryIn(client: ClientName, content: string): z.infer<typeof entry> {
  switch (client) {
    case "codex":
      return z.object({ mcp_servers: z.object({ ralph: entry }) }).parse(parse(content)).mcp_servers.ralph;
    case "vscode":
      return z.object({ servers: z.object({ ralph: entry }) }).parse(JSON.parse(content)).servers.ralph;
    case "opencode": {
      const { ralph } = z.object({ mcp: z.object({ ralph: ofOpencode }) }).parse(JSON.parse(content)).mcp;
      const [command, ...args] = ralph.command;
      return { command, args, env: ralph.environment };
    }
    case "zed":
      return z.object({ context_servers: z.object({ ralph: entry }) }).parse(JSON.parse(content))
        .context_servers.ralph;
    default:
      return z.object({ mcpServers: z.object({ ralph: entry }) }).parse(JSON.parse(content)).mcpServers.ralph;
  }
}

const ofOpencode = z.object({
  command: z.tuple([z.string()], z.string()),
  environment: z.record(z.string(), z.string()),
});
