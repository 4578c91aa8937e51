/** The ports of agents' clients: what they take from the core. */

export { ConfigError } from "../../src/config/config.ts";
export { type Permissions, TEMPLATE_PLACES } from "../../src/config/schema.ts";
export { SERVER_NAME } from "../../src/events/server-name.ts";
export { modelProblems, type ServerState } from "../../src/events/types/agents.ts";
export type { McpServers } from "../../src/events/types/mcp-fields.ts";
export { platform } from "../../src/lib/platform/here.ts";
export { makePrivateFolder } from "../../src/lib/private-folder.ts";
export { ralphFolderOf } from "../../src/lib/project-folder.ts";
export { counted, dollars } from "../../src/lib/readable.ts";
export { writeWhole } from "../../src/lib/write-whole.ts";
export {
  type Client,
  type ClientFinding,
  type ClientLaunch,
  type CommandLine,
  type Launch,
  needsNoTrust,
} from "../../src/loop/agent/client.ts";
export {
  asText,
  type Entry,
  entryOf,
  failed,
  inputText,
  type ReadEntries,
  resultText,
} from "../../src/loop/agent/entry.ts";
export {
  type AgentFact,
  type OutputLine,
  objectIn,
  ourTool,
  type Problem,
  type ReadLine,
  type Usage,
} from "../../src/loop/agent/facts.ts";
export { problemOf, timeAfter } from "../../src/loop/agent/problem.ts";
export { failed as failedCheck, ok, type Place, warning } from "../../src/loop/doctor/check.ts";
export { run } from "../../src/loop/doctor/program.ts";
export { claudeMcpArguments } from "../../src/mcp/launching/mcp-config.ts";
export { quoted } from "../../src/mcp/quoted.ts";
