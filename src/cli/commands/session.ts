import type { Command } from "commander";
import type { Project } from "../../api/project.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { foundAtEnd, keepBeginning } from "../../gates/verifying/by-hand.ts";
import { quoteLine } from "../../lib/terminal/output.ts";
import { makeToken } from "../../mcp/http/tokens.ts";
import { workspaceIn } from "../../mcp/launch.ts";
import { sessionVariables } from "../../mcp/session-variables.ts";
import {
  endSession,
  endSessionWith,
  newSessionId,
  observeFiles,
  sessions,
  settledSession,
  startSession,
  startSessionOn,
} from "../../operations/sessions.ts";
import { type CommonOptions, folderOf, readModelPath } from "../making/command.ts";
import { addGroup } from "../making/operation-commands.ts";
import { defineCommand } from "../making/project-command.ts";
import { reachLines, transportFields, transportOptions, urlFor } from "../making/transport.ts";
import { gatesToRun } from "../running/gates-to-run.ts";
import { stoppable } from "../running/stoppable.ts";
import { agent } from "./session-agent.ts";
import { state } from "./session-state.ts";

export function addSession(program: Command): void {
  addGroup(program, { ...sessions, has: [start, state, end, ...sessions.has, agent, observeFiles] });
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
    await keepBeginning(project.store.readModel, path, {
      session,
      folder: workspaceIn(process.env, path) ?? folderOf(options),
    });
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

const end = defineCommand({
  input: endSession.input,
  async run(project, input, options) {
    // Stopped meanwhile, it goes on.
    return await stoppable(async (signal) => {
      const found = await findAtEnd(project, input.session, options, signal);
      await project.decide(endSessionWith(found, input), options.key);
      return settledSession(project.store.readModel, input.session);
    });
  },
  command: {
    name: "end",
    does: "end a session and settle its task by its signals",
    actor: "driver",
    ownWork: ({ session }) => ({ session }),
    takes: {
      session: ["<session>", "the session's id"],
      exit: ["--exit <exit>", "how it ended"],
      workspace: ["--workspace <fingerprint>", "fingerprint of the workspace's content now"],
      reason: ["--reason <text>", "more detail on how it ended"],
    },
    example: "s-1 --exit exited --json",
    says: ({ session, task, outcome, closing, inferred, status }) => [
      `Session ${session} ended: ${outcome} (${closing ?? "no closing verb"}${inferred ? ", inferred" : ""}).`,
      task === null ? "It had no task." : `Task ${task} is ${status}.`,
    ],
  },
});

/** Who ends a session by hand is its driver, who looks what it did, and runs gates again that passed on other files. */
async function findAtEnd(project: Project, session: string, options: CommonOptions, signal: AbortSignal) {
  const config = () => confirmedConfig(readModelPath(options));
  const { runFolder: _, ...wanted } = gatesToRun(options, signal);
  const { notRun, ...found } = await foundAtEnd(project, readModelPath(options), {
    ...wanted,
    session,
    config,
  });
  if (notRun !== undefined)
    process.stderr.write(`The gates were not run on the files as they are now: ${quoteLine(notRun)}\n`);
  return found;
}
