import { z } from "zod";
import { parsedJson } from "../../lib/json.ts";
import { packagePath } from "../../lib/package-root.ts";
import { findRecipe } from "../../mcp/recipes.ts";
import { sessionVariables } from "../../mcp/session-variables.ts";
import { type Check, type Finding, failed, ok, skipped } from "./check.ts";
import { type Answer, run } from "./program.ts";

/** The tools that an agent needs whose session is known only from its environment. */
const TOOLS: readonly string[] = findRecipe("signals")?.tools ?? [];

const MEND = "Run `npm ci` again in signalbox's folder. If that does not help, report it with this output.";

/**
 * Whether the MCP server starts, answers, and keeps stdout clean. It runs like an agent's server,
 * with a session that does not exist: a server opens the project only after
 * `notifications/initialized`, which is never sent here.
 */
export const mcpCheck: Check = {
  name: "mcp server",
  async look({ readModelPath, cwd, env }) {
    if (readModelPath === undefined) return [skipped("mcp server", "there is no project")];
    const answer = await run(process.execPath, [packagePath("bin/signalbox.js"), "mcp"], {
      cwd,
      // When an agent runs doctor, its environment names its own session's context.
      env: { ...env, RALPH_CONTEXT: "", ...sessionVariables(1, "doctor", readModelPath) },
      input: REQUESTS.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join(""),
    });
    return [judgeServer(answer)];
  },
};

const REQUESTS = [
  {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "doctor", version: "1" } },
  },
  { id: 1, method: "tools/list" },
];

/**
 * @param answer the output of a server that got `initialize`, `tools/list` and then the end of its
 * input
 */
export function judgeServer(answer: Answer): Finding {
  const name = "mcp server";
  const said = answer.stderr.trim().slice(-500);
  if (answer.stopped) return failed(name, `It did not end in time. ${said}`.trim(), MEND);
  if (answer.exitCode !== 0)
    return failed(name, `It ended with exit code ${answer.exitCode}. ${said}`.trim(), MEND);
  const lines = answer.stdout.split("\n").filter((line) => line !== "");
  const messages = lines.map((line) => message.safeParse(parsedJson(line)));
  const foreign = lines.find((_, index) => !messages[index]?.success);
  if (foreign !== undefined) {
    const mend =
      "Find out what prints there (NODE_OPTIONS? a preloaded module?): stdout must carry only the protocol.";
    return failed(name, `It printed foreign text to stdout: ${foreign.slice(0, 100)}`, mend);
  }
  const result = messages.find(({ data }) => data?.id === 1)?.data?.result;
  const listed = toolList.safeParse(result);
  if (!listed.success) return failed(name, "It did not answer tools/list.", MEND);
  const names = new Set(listed.data.tools.map((tool) => tool.name));
  const missing = TOOLS.filter((tool) => !names.has(tool));
  return missing.length === 0
    ? ok(name, `it starts, and lists its ${names.size} tools`)
    : failed(name, `These tools are missing: ${missing.join(", ")}`, MEND);
}

const message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.number().optional(),
  result: z.unknown().optional(),
});
const toolList = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
