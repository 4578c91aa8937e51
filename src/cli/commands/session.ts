import type { Command } from "commander";
import { makeToken } from "../../mcp/http/tokens.ts";
import { sessionVariables } from "../../mcp/session-variables.ts";
import {
  newSessionId,
  observeFiles,
  sessions,
  startSession,
  startSessionOn,
} from "../../operations/sessions.ts";
import { readModelPath } from "../command.ts";
import { addGroup } from "../operation-commands.ts";
import { defineCommand } from "../project-command.ts";
import { reachLines, transportFields, transportOptions, urlFor } from "../transport.ts";
import { agent } from "./session-agent.ts";
import { state } from "./session-state.ts";

export function addSession(program: Command): void {
  addGroup(program, { ...sessions, has: [start, state, ...sessions.has, agent, observeFiles] });
}

const { input } = startSession;

const start = defineCommand({
  input: input.partial({ session: true }).extend(transportFields),
  async run(project, { task, session: named, workspace, driver, force = false, ...reached }, options) {
    const path = readModelPath(options);
    const url = urlFor(reached, path);
    const session = named ?? newSessionId(project.store.environment, options.key);
    // In this order: by it a key is known that an older signalbox was given.
    const host = project.store.ownHost?.();
    await project.decide(startSessionOn(host, { task, session, workspace, force, driver }), options.key);
    const variables = sessionVariables(task, session, path);
    if (url === undefined) return { session, task, env: variables };
    const { token, file } = await makeToken(project.log, path, { session, variables });
    return { session, task, url, token, token_file: file };
  },
  command: {
    name: "start",
    does: "start a session: the task is in progress; prints the environment of the agent's MCP server",
    actor: "driver",
    takes: {
      task: ["<task>", "the task's id"],
      session: ["--session <id>", "the session's id (default: a new one)"],
      workspace: ["--workspace <fingerprint>", "identifies the content of the workspace"],
      driver: ["--driver <name>", "the driver that watches it, which gives signs of life with `driver beat`"],
      force: ["--force", "start a task that is not ready"],
      ...transportOptions,
    },
    example: '7 --workspace "$(git rev-parse HEAD)" --json',
    says: ({ session, task, ...reached }) =>
      "env" in reached
        ? [
            `Session ${session} of task ${task} is open. Its agent's MCP server needs:`,
            ...Object.entries(reached.env).map(([name, value]) => `  ${name}=${value}`),
          ]
        : [
            `Session ${session} of task ${task} is open. Its agent's client reaches the server with:`,
            ...reachLines(reached, task),
          ],
  },
});
