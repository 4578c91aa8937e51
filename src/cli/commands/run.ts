import { type Command, Option } from "commander";
import { Subject } from "rxjs";
import { loadTelemetry, loadTrackers } from "../../adapters.ts";
import type { Project } from "../../api/project.ts";
import { type Config, parseConfig } from "../../config/config.ts";
import { sandboxEngines } from "../../config/sandbox-settings.ts";
import { LOOP_RECIPES } from "../../config/schema.ts";
import { trackerKinds } from "../../config/tracker-settings.ts";
import { failedEndings } from "../../events/types/loops.ts";
import { printJsonLine } from "../../lib/terminal/output.ts";
import { driverUnder, startedAlready, startOfLoop } from "../../loop/driver-name.ts";
import { runLoop } from "../../loop/run.ts";
import type { Step } from "../../loop/steps.ts";
import { takePartInNotices } from "../../outside/notices/notifier.ts";
import { askPermissions } from "../asking/ask-permissions.ts";
import { configToUse } from "../asking/confirm-config.ts";
import { canAsk } from "../asking/questions.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  parseAmount,
  parseCount,
  readModelPath,
  warn,
  withProject,
  writingOptions,
} from "../making/command.ts";
import { sayStep } from "../printing/say-step.ts";
import { usingAgent } from "../running/using-agent.ts";

interface Options extends CommonOptions {
  readonly agent?: string;
  readonly recipe?: Config["recipe"];
  readonly once?: boolean;
  readonly maxSessions?: number;
  readonly jobs?: number;
  readonly worktrees?: boolean;
  readonly sandbox?: Config["sandbox"]["engine"];
  readonly budgetUsd?: number;
  readonly budgetTokens?: number;
  readonly wait?: boolean;
  readonly github?: boolean;
  readonly gitlab?: boolean;
}

/** Written for commander: runs until it is stopped, and tells each step. */
export function addRun(program: Command): void {
  writingOptions(
    program
      .command("run")
      .description("run agents on the ready tasks, in order, until no task is ready")
      .option(
        "--agent <agent>",
        "an agent from .ralph/config.json, or a command such as 'mycmd {prompt_file} {mcp_config}'",
      )
      .addOption(
        new Option("--recipe <recipe>", "the agents' purpose, which decides their tools").choices(
          LOOP_RECIPES,
        ),
      )
      .option("--once", "stop after one session")
      .option("--max-sessions <n>", "stop after this many sessions", parseCount)
      .option("--jobs <n>", "run this many sessions in parallel", parseCount)
      .option("--worktrees", "give each task its own git worktree")
      .addOption(
        new Option(
          "--sandbox <engine>",
          "run agents without network, and without access to the rest of this machine",
        ).choices(["none", ...sandboxEngines]),
      )
      .option("--budget-usd <amount>", "start no more sessions once this run has cost this much", parseAmount)
      .option(
        "--budget-tokens <n>",
        "start no more sessions once this run has used this many tokens, input and output",
        parseCount,
      )
      .option("--github", "keep tasks in step with the issues on GitHub (docs/trackers.md)")
      .option("--gitlab", "the same with GitLab")
      .option("--wait", "wait for a task to become ready instead of stopping"),
    "driver",
  )
    .addHelpText(
      "after",
      "\nCtrl-C lets the running sessions finish and then stops the loop; a second Ctrl-C ends them at once.\n" +
        "\nExample:\n  signalbox run --max-sessions 10 --budget-usd 5",
    )
    .action((options: Options) =>
      guarded(() =>
        withProject(options, async (project) => {
          const path = readModelPath(options);
          const driver = await newDriver(project, options);
          const config = await decided(withOptions(await configToUse(options), options), path, options);
          const finish = new Subject<string>();
          const cancel = new Subject<string>();
          const forget = onSignals(finish, cancel);
          // A reader or a terminal that goes away ends the loop in order; to go at once would leave its agents behind.
          let heard = true;
          for (const stream of [process.stdout, process.stderr]) {
            stream.removeAllListeners("error");
            stream.on("error", () => {
              if (heard) cancel.next("its output was closed");
              heard = false;
            });
          }
          const tell = options.json ? printStep : sayStep;
          const { endpointOf } = await loadTelemetry();
          const { keepSyncing } = await loadTrackers();
          const trackers: Awaited<ReturnType<typeof keepSyncing>>[] = [];
          const notifier = takePartInNotices(project, { readModelPath: path, report: warn });
          try {
            for (const kind of trackerKinds)
              if (options[kind]) trackers.push(await keepSyncing(project, kind, config, path, warn));
            const { ending } = await runLoop(project, {
              readModelPath: path,
              config,
              driver,
              once: options.once,
              maxSessions: options.maxSessions,
              wait: options.wait,
              tracesTo: endpointOf(config, process.env),
              finish,
              cancel,
              tell: (step) => heard && tell(step),
            });
            if (failedEndings.has(ending)) process.exitCode = EXIT.refused;
            for (const tracker of trackers) await tracker.finish();
          } finally {
            for (const tracker of trackers) await tracker.stop();
            // Also that the loop failed.
            await notifier.finish();
            notifier.stop();
            forget();
          }
        }),
      ),
    );
}

/** @throws Refusal `nothing_to_do`: the run was started under this key already */
async function newDriver({ log, store }: Project, { key }: Options): Promise<string> {
  if (key === undefined) return `d-${store.environment.newId()}`;
  const driver = driverUnder(key);
  if ((await startOfLoop(log, driver)) !== undefined) throw startedAlready(driver);
  return driver;
}

/** Asks once what its agents may do, where somebody is there to answer. */
async function decided(config: Config, path: string, { json }: Options): Promise<Config> {
  if (json || !canAsk()) return config;
  const agents = new Set([config.agent, config.escalation.agent ?? config.agent]);
  let now = config;
  for (const agent of agents) now = await askPermissions(now, path, agent);
  return now;
}

/** What the command line says goes before what the file says. */
function withOptions(config: Config, options: Options): Config {
  const { agent, recipe, jobs, worktrees, sandbox, budgetUsd, budgetTokens } = options;
  const { escalation, ...rest } = usingAgent(config, agent);
  return parseConfig(
    {
      ...rest,
      // As it is without one: a default that is written out would be taken for one that was asked for.
      ...((escalation.agent ?? escalation.model) !== undefined && { escalation }),
      ...(recipe !== undefined && { recipe }),
      ...(jobs !== undefined && { jobs }),
      // How they are merged stays as the file says.
      ...(worktrees !== undefined && { worktrees: config.worktrees || worktrees }),
      ...(sandbox !== undefined && { sandbox: { ...config.sandbox, engine: sandbox } }),
      budget: {
        ...config.budget,
        ...(budgetUsd !== undefined && { usd: budgetUsd }),
        ...(budgetTokens !== undefined && { tokens: budgetTokens }),
      },
    },
    "the command line",
  );
}

function onSignals(finish: Subject<string>, cancel: Subject<string>): () => void {
  let interrupts = 0;
  const interrupt = () => {
    interrupts += 1;
    if (interrupts === 1)
      finish.next("SIGINT: starting no more sessions; press Ctrl-C again to end the running ones");
    else cancel.next("SIGINT, twice");
  };
  const terminate = (signal: NodeJS.Signals) => cancel.next(signal);
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  process.on("SIGHUP", terminate);
  return () => {
    process.removeListener("SIGINT", interrupt);
    process.removeListener("SIGTERM", terminate);
    process.removeListener("SIGHUP", terminate);
  };
}

function printStep(step: Step): void {
  printJsonLine(step);
}
