import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { sessionId } from "../../events/types/fields.ts";
import { nearest } from "../../lib/nearest.ts";
import { print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import { inOurWords } from "../../lib/wrong-values.ts";
import type { Launched } from "../../mcp/launching/launch-files.ts";
import { claudeMcpArguments } from "../../mcp/launching/mcp-config.ts";
import { isForOneTask, type RecipeName, recipeNames } from "../../mcp/recipes.ts";
import { type ToolName, toolName, toolNames } from "../../operations/tool-names.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readModelPath,
  withProject,
  writingOptions,
} from "../making/command.ts";
import { reachLines, type Transport, transportOptions, urlFor } from "../making/transport.ts";
import { launchSession, type SessionLaunch } from "../running/launch-session.ts";

interface Options extends CommonOptions, Transport, Omit<SessionLaunch, "recipe" | "without" | "url"> {
  readonly disableTools?: readonly ToolName[];
}

/** Written for commander: a program takes its place. */
export function addLaunch(program: Command): void {
  writingOptions(
    program
      .command("launch")
      .description(
        "write the files that launch a session's client and server: context.json and the MCP configuration",
      )
      .argument("<recipe>", "the agent's purpose, which decides its tools", parseRecipe)
      .option("--task <id>", "its task; a recipe for one task starts a session of it", parseId)
      .option(
        "--session <id>",
        "an open session of the task; for recipes without a task, any name (default: a new session)",
        parseSession,
      )
      .option(
        "--discipline <name>",
        "the discipline, which removes tools and adds MCP servers (default: the task's)",
      )
      .option("--feature <name>", "the feature (default: the task's)")
      .option("--disable-tools <names>", "tools to remove, e.g. ask,suggest", parseTools)
      .option("--workspace <fingerprint>", "the workspace's fingerprint, if this starts a session")
      .option("--driver <name>", "the driver that watches the session, if this starts one")
      .option(
        "--folder <path>",
        "the folder in the project where the agent works and its gates run (default: the project's folder)",
        (path) => resolve(path),
      )
      .option("--force", "start a session even if the task is not ready")
      .addOption(new Option(...transportOptions.transport).choices(["stdio", "http"]).default("stdio"))
      .option(...transportOptions.url),
    "driver",
  )
    .addHelpText("after", "\nExample:\n  signalbox launch task_execution --task 7 --json")
    .action((recipe: RecipeName, { disableTools: without, ...options }: Options, command: Command) =>
      guarded(() =>
        withProject(options, async (project) => {
          const wish = { ...options, recipe, without };
          const missing = missingFor(wish);
          if (missing !== undefined) command.error(`error: ${missing}`);
          const path = readModelPath(options);
          const url = urlFor(options, path);
          const launched = await launchSession(project, path, { ...wish, url });
          show(launched, options);
        }),
      ),
    );
}

function missingFor({ recipe, task, session }: SessionLaunch): string | undefined {
  return isForOneTask(recipe) && task === undefined && session === undefined
    ? `the recipe ${recipe} is for one task: name it with --task, or its open session with --session`
    : undefined;
}

function show(
  { plan: { context }, files, started, reach }: Awaited<ReturnType<typeof launchSession>>,
  { json }: Options,
) {
  const { session_id: session, task_id: task, recipe, discipline, feature } = context;
  const tools = toolNames.filter((tool) => !context.disabled_tools.includes(tool));
  const args = argumentsFor(recipe, files);
  const { contextFile: context_file, mcpConfig: mcp_config, env } = files;
  const servers = Object.keys(files.servers);
  if (json) {
    const names = { session, started, task, recipe, discipline, feature };
    printJson({ ...names, tools, servers, context_file, mcp_config, env, args, ...reach });
    return;
  }
  const of = task === null ? "" : ` of task ${task}`;
  print(
    `Session ${quoteLine(session)}${of}${started ? ", started" : ""}, recipe ${recipe}: ${tools.length} tools, servers ${servers.join(", ")}.`,
  );
  print(`  ${context_file}`);
  print(`  ${mcp_config}`);
  if (reach) {
    print("Its client reaches the server with these, as in the configuration:");
    for (const line of reachLines(reach, task)) print(line);
  } else {
    print("Its server needs these, as in the configuration:");
    for (const [name, value] of Object.entries(env)) print(`  ${name}=${value}`);
  }
  print("Start Claude Code with:");
  print(`  ${args.map(asWord).join(" ")}`);
}

/** Where nobody watches nobody can be asked; a human who talks with an agent can be. */
function argumentsFor(recipe: RecipeName, { mcpConfig, servers }: Launched): string[] {
  return claudeMcpArguments(mcpConfig, isForOneTask(recipe) ? Object.keys(servers) : []);
}

/** As a shell takes it for one word. */
function asWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function parseRecipe(text: string): RecipeName {
  const known = recipeNames.find((name) => name === text);
  if (known) return known;
  const meant = nearest(text, recipeNames);
  throw new InvalidArgumentError(
    `There is no recipe "${text}"; ${meant ? `did you mean ${meant}?` : `there are ${recipeNames.join(", ")}.`}`,
  );
}

function parseSession(text: string): string {
  const parsed = sessionId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError("It must be a name of at most 200 characters, without spaces.");
}

function parseTools(text: string): ToolName[] {
  return text.split(",").map((name) => {
    const parsed = toolName.safeParse(name.trim(), inOurWords);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(`It ${parsed.error.issues.map(({ message }) => message).join("; ")}.`);
  });
}
