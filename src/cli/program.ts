import type { Command } from "commander";
import { version } from "../lib/version.ts";
import type { Group } from "../operations/group.ts";
import { EXIT } from "./command.ts";
import { PlainCommand } from "./plain-command.ts";
import type { ProjectCommand } from "./project-command.ts";

/** All commands, each loaded when it is wanted. Adding one: a file in commands/, and its line here. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  init: async () => (await import("./commands/init.ts")).addInit,
  status: async () => (await import("./commands/status.ts")).addStatus,
  task: async () => operations((await import("../operations/tasks.ts")).tasks),
  next: async () => command((await import("./commands/next.ts")).next),
  run: async () => (await import("./commands/run.ts")).addRun,
  session: async () => (await import("./commands/session.ts")).addSession,
  signal: async () => (await import("./commands/signal.ts")).addSignal,
  launch: async () => (await import("./commands/launch.ts")).addLaunch,
  driver: async () => (await import("./commands/driver.ts")).addDriver,
  work: async () => operations((await import("../operations/work.ts")).work),
  fleet: async () => (await import("./commands/fleet.ts")).addFleet,
  prompt: async () => (await import("./commands/prompt.ts")).addPrompt,
  watch: async () => (await import("./commands/watch.ts")).addWatch,
  serve: async () => (await import("./commands/serve.ts")).addServe,
  inbox: async () => operations((await import("../operations/inbox.ts")).inbox),
  merge: async () => (await import("./commands/merge.ts")).addMerge,
  comment: async () => operations((await import("../operations/comments.ts")).comments),
  gate: async () => (await import("./commands/gate.ts")).addGate,
  feature: async () => operations((await import("../operations/features.ts")).features),
  discipline: async () => operations((await import("../operations/disciplines.ts")).disciplines),
  learning: async () => (await import("./commands/learning.ts")).addLearning,
  progress: async () => (await import("./commands/progress.ts")).addProgress,
  project: async () => operations((await import("../operations/project.ts")).project),
  policy: async () => operations((await import("../operations/policies.ts")).policies),
  log: async () => (await import("./commands/log.ts")).addLog,
  "what-if": async () => (await import("./commands/what-if.ts")).addWhatIf,
  verify: async () => (await import("./commands/verify.ts")).addVerify,
  head: async () => (await import("./commands/head.ts")).addHead,
  key: async () => (await import("./commands/key.ts")).addKey,
  prove: async () => (await import("./commands/prove.ts")).addProve,
  why: async () => (await import("./commands/why.ts")).addWhy,
  diff: async () => (await import("./commands/diff.ts")).addDiff,
  history: async () => (await import("./commands/history.ts")).addHistory,
  snapshot: async () => (await import("./commands/history.ts")).addFormerSnapshot,
  metrics: async () => (await import("./commands/metrics.ts")).addMetrics,
  config: async () => (await import("./commands/config.ts")).addConfig,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  "state-files": async () => command((await import("./commands/state-files.ts")).stateFiles),
  regenerate: async () => command((await import("./commands/regenerate.ts")).regenerate),
  fingerprint: async () => (await import("./commands/fingerprint.ts")).addFingerprint,
  rebuild: async () => command((await import("./commands/rebuild.ts")).rebuild),
  backup: async () => (await import("./commands/backup.ts")).addBackup,
  restore: async () => (await import("./commands/backup.ts")).addRestore,
  export: async () => (await import("./commands/export.ts")).addExport,
  import: async () => (await import("./commands/import.ts")).addImport,
  redact: async () => command((await import("./commands/redact.ts")).redact),
  mcp: async () => (await import("./commands/mcp.ts")).addMcp,
  recipes: async () => (await import("./commands/recipes.ts")).addRecipes,
  describe: async () => (await import("./commands/describe.ts")).addDescribe,
  pretend: async () => (await import("./commands/pretend.ts")).addPretend,
  sims: async () => (await import("./commands/sims.ts")).addSims,
  demo: async () => (await import("./commands/demo.ts")).addDemo,
};

/** A group whose commands follow from its operations. */
async function operations(group: Group): Promise<(program: Command) => void> {
  const { addGroup } = await import("./operation-commands.ts");
  return (program) => void addGroup(program, group);
}

async function command(one: ProjectCommand): Promise<(program: Command) => void> {
  const { addCommands } = await import("./operation-commands.ts");
  return (program) => addCommands(program, one);
}

/** @param only the command that is wanted; absent, or where there is none of that name: all of them */
export async function createProgram(only?: string): Promise<Command> {
  const program = new PlainCommand("signalbox")
    .description(
      "The event-sourced signal log for agent loops: every report is an event, and every state follows from events.",
    )
    .version(version)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage));
  const wanted = only !== undefined && Object.hasOwn(COMMANDS, only) ? [only] : Object.keys(COMMANDS);
  for (const name of wanted) (await COMMANDS[name]?.())?.(program);
  for (const group of program.commands) refuseUnknown(group);
  return program;
}

/** A group that lists or shows by default would take a misspelt command for an argument of that. */
function refuseUnknown(group: Command): void {
  const names = group.commands.map((command) => command.name());
  const takesNothing = (name: string) =>
    group.commands.find((command) => command.name() === name && command.registeredArguments.length === 0);
  (takesNothing("list") ?? takesNothing("show"))
    ?.allowExcessArguments(true)
    .hook("preAction", (_group, command) => {
      const [extra] = command.args;
      if (extra !== undefined)
        group.error(`error: unknown command '${extra}'. The commands are ${names.join(", ")}`);
    });
}
