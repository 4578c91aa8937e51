/** The ports of sandboxes: what they take from the core. */

export { type AgentProgram, agentNamed, type Config, ConfigError } from "../../src/config/config.ts";
export { type Sandboxing, worktreesOf } from "../../src/config/schema.ts";
export { withoutLogPassword } from "../../src/events/log-location.ts";
export { readOnlyParts } from "../../src/gates/runner/bwrap.ts";
export { gateEnvironment } from "../../src/gates/runner/environment.ts";
export { findTool } from "../../src/gates/runner/find-tool.ts";
export { errorMessage } from "../../src/lib/error-message.ts";
export { listening } from "../../src/lib/listening.ts";
export { packagePath } from "../../src/lib/package-root.ts";
export { platform } from "../../src/lib/platform/here.ts";
export { makePrivateFolder } from "../../src/lib/private-folder.ts";
export { ralphFolderOf } from "../../src/lib/project-folder.ts";
export { contentOf, writeWhole } from "../../src/lib/write-whole.ts";
export type { CommandLine } from "../../src/loop/agent/client.ts";
export { clients } from "../../src/loop/agent/clients.ts";
export type { AgentRun } from "../../src/loop/claim.ts";
export { run } from "../../src/loop/doctor/program.ts";
export { rootOf } from "../../src/loop/merge/commit-work.ts";
export { runFolderOf } from "../../src/loop/run-folder.ts";
export {
  HOME_FOLDER,
  PROXY_PORT,
  PROXY_SOCKET,
  SESSION_PATH,
  TOOLS_PORT,
  TOOLS_SOCKET,
} from "../../src/loop/sandbox-ports.ts";
export { branchOf } from "../../src/workspace/branches.ts";
export { tryGit } from "../../src/workspace/git.ts";
export { identity } from "../../src/workspace/identity.ts";
export { removeSpecialFiles } from "../../src/workspace/special-files.ts";
export { worktreeFolder } from "../../src/workspace/worktree.ts";
