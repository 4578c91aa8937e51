import type { Context } from "../context.ts";
import { CLIENT_SESSION, clientServer } from "../launching/client-server.ts";
import { mcpConfigText, sessionServers } from "../launching/mcp-config.ts";
import { type DisciplineTools, recipesText } from "./recipes-text.ts";

/** One of the files in `.ralph/mcp/`. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The files of `.ralph/mcp/`, for launching a human's own client. They depend only on the project's
 * disciplines, its path and this program, and contain no times or ids.
 */
export function generatedFiles(
  readModelPath: string,
  disciplines: readonly DisciplineTools[],
): readonly GeneratedFile[] {
  return [
    { name: "README.md", text: README },
    { name: "context.json", text: `${JSON.stringify(CLIENT_CONTEXT, undefined, 2)}\n` },
    { name: "mcp.json", text: mcpConfigText(sessionServers(clientServer(readModelPath))) },
    { name: "recipes.json", text: recipesText(disciplines) },
  ];
}

/** Every tool, and no session: a human's client starts and ends sessions itself. */
const CLIENT_CONTEXT: Context = {
  session_id: CLIENT_SESSION,
  recipe: "all",
  discipline: null,
  feature: null,
  task_id: null,
  disabled_tools: [],
};

const README = `# Files for MCP clients

\`signalbox init\` makes these files, and \`signalbox regenerate\` makes them anew: do that after a discipline was given
tools or servers, after signalbox or the project's folder has moved, and after an update. What is changed here by hand is
lost then; \`signalbox doctor\` says when they are out of date.

- \`context.json\` is what the server of a human's own client is launched for: the recipe \`all\`, every tool.
- \`mcp.json\` is a configuration for such a client: \`claude --mcp-config .ralph/mcp/mcp.json\`. For others,
  \`signalbox mcp --print-config CLIENT\`.
- \`recipes.json\` says which tools an agent has by its recipe, and what its discipline changes of it. Nothing reads it.

An agent's own files are in \`.ralph/run/\`; \`signalbox run\` and \`signalbox launch\` write them.
`;
