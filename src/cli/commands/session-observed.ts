import { type Command, Option } from "commander";
import {
  observeAgentEnd,
  observeAgentStart,
  observeAgentUsage,
  observeFiles,
} from "../../decisions/observations.ts";
import { serverStates } from "../../events/types/agents.ts";
import { print, printJson, quoteLine } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseAmount,
  parseWhole,
  withProject,
  writingOptions,
} from "../command.ts";

/** What a driver has seen of a session: for drivers that work by commands; `signalbox run` records it by itself. */
export function addObserved(group: Command): void {
  addAgent(group);
  addFiles(group);
}

interface AgentOptions extends CommonOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly server?: (typeof serverStates)[number];
  readonly turns?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
  readonly exitCode?: number;
}

function addAgent(group: Command): void {
  writingOptions(
    group
      .command("agent")
      .description("record what the session's agent is, has used, or how its program ended")
      .argument("<session>", "the session's id")
      .option("--agent <name>", "it runs: its name")
      .option("--model <name>", "with --agent: its model")
      .addOption(
        new Option("--server <state>", "with --agent: whether it reached our server").choices(serverStates),
      )
      .option("--turns <n>", "turns so far", parseWhole)
      .option("--input-tokens <n>", "tokens in so far, those from a cache included", parseWhole)
      .option("--output-tokens <n>", "tokens out so far", parseWhole)
      .option("--cost-usd <amount>", "what the session has cost so far, in US dollars", parseAmount)
      .option("--exit-code <n>", "its program has ended with this code", parseWhole),
    "driver",
  )
    .addHelpText(
      "after",
      "\nExample:\n  signalbox session agent s-1 --turns 12 --cost-usd 0.61 --exit-code 0",
    )
    .action((session: string, options: AgentOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          const [event] = await project.decide(observationOf(session, options), options.key);
          if (options.json) printJson({ session, type: event.type, position: event.position });
          else print(`${event.type} at position ${event.position}.`);
        }),
      ),
    );
}

function observationOf(session: string, options: AgentOptions) {
  const { agent, model, server = "unknown", turns, inputTokens, outputTokens, costUsd, exitCode } = options;
  if (agent !== undefined)
    return observeAgentStart({ session, agent, server, ...(model !== undefined && { model }) });
  const usage = {
    session,
    ...(turns !== undefined && { turns }),
    ...(inputTokens !== undefined && { input_tokens: inputTokens }),
    ...(outputTokens !== undefined && { output_tokens: outputTokens }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
  };
  return exitCode === undefined
    ? observeAgentUsage(usage)
    : observeAgentEnd({ ...usage, exit_code: exitCode });
}

function addFiles(group: Command): void {
  writingOptions(
    group
      .command("files")
      .description("record which files the session has changed so far, all of them each time")
      .argument("<session>", "the session's id")
      .argument("[paths...]", "relative to the workspace"),
    "driver",
  )
    .addHelpText("after", "\nExample:\n  signalbox session files s-1 $(git diff --name-only HEAD)")
    .action((session: string, paths: string[], options: CommonOptions) =>
      guarded(() =>
        withProject(options, async (project) => {
          await project.decide(observeFiles({ session, files: paths }), options.key);
          const overlaps = await project.queries.overlapsOf(session);
          if (options.json) printJson({ session, overlaps });
          else if (overlaps.length === 0) print("No other session that runs changes one of these.");
          else for (const overlap of overlaps) print(quoteLine(JSON.stringify(overlap), 300));
        }),
      ),
    );
}
