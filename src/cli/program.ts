import type { Command } from "commander";
import { version } from "../lib/version.ts";
import { EXIT } from "./making/command.ts";
import type { CommandGroup } from "./making/operation-commands.ts";
import { PlainCommand } from "./making/plain-command.ts";
import type { ProjectCommand } from "./making/project-command.ts";

/** The group of commands that only programs call: no help and no completion shows it. */
const HIDDEN = "Hidden";

/** All commands as the help groups them, each loaded when it is wanted. Adding one: a file in commands/, and its line here. */
const GROUPS: Readonly<Record<string, Commands>> = {
  [HIDDEN]: {
    pretend: async () => (await import("./commands/pretend.ts")).addPretend,
  },
  Work: {
    init: async () => (await import("./commands/init.ts")).addInit,
    task: async () => operations((await import("../operations/tasks.ts")).tasks),
    plan: async () => (await import("./commands/plan.ts")).addPlan,
    run: async () => (await import("./commands/run.ts")).addRun,
    demo: async () => (await import("./commands/demo.ts")).addDemo,
    next: async () => command((await import("./commands/next.ts")).next),
    feature: async () => operations((await import("../operations/features.ts")).features),
    discipline: async () => operations((await import("../operations/disciplines.ts")).disciplines),
    gate: async () => (await import("./commands/gate.ts")).addGate,
    worktree: async () => (await import("./commands/worktree.ts")).addWorktree,
    merge: async () => (await import("./commands/merge.ts")).addMerge,
    learning: async () => (await import("./commands/state-files.ts")).addLearning,
    progress: async () => (await import("./commands/state-files.ts")).addProgress,
    work: async () => operations((await import("../operations/work.ts")).work),
    session: async () => (await import("./commands/session.ts")).addSession,
    signal: async () => (await import("./commands/signal.ts")).addSignal,
    launch: async () => (await import("./commands/launch.ts")).addLaunch,
    driver: async () => operations((await import("./commands/driver.ts")).drivers),
    prompt: async () => (await import("./commands/prompt.ts")).addPrompt,
  },
  People: {
    status: async () => (await import("./commands/status.ts")).addStatus,
    inbox: async () => operations((await import("../operations/inbox.ts")).inbox),
    watch: async () => (await import("./commands/watch.ts")).addWatch,
    serve: async () => (await import("./commands/serve.ts")).addServe,
    people: async () => (await import("./commands/people.ts")).addPeople,
    notify: async () => operations((await import("./commands/notify.ts")).notifying),
    comment: async () => operations((await import("../operations/comments.ts")).comments),
    project: async () => operations((await import("../operations/project.ts")).project),
    github: async () => (await import("./commands/github.ts")).addGithub,
    gitlab: async () => (await import("./commands/github.ts")).addGitlab,
    policy: async () => operations((await import("../operations/policies.ts")).policies),
  },
  "Look back": {
    log: async () => (await import("./commands/log.ts")).addLog,
    why: async () => (await import("./commands/why.ts")).addWhy,
    diff: async () => (await import("./commands/diff.ts")).addDiff,
    history: async () => operations((await import("./commands/history.ts")).histories),
    metrics: async () => (await import("./commands/metrics.ts")).addMetrics,
    "what-if": async () => (await import("./commands/what-if.ts")).addWhatIf,
    verify: async () => (await import("./commands/verify.ts")).addVerify,
    head: async () => (await import("./commands/head.ts")).addHead,
    prove: async () => (await import("./commands/prove.ts")).addProve,
    key: async () => operations((await import("./commands/key.ts")).keys),
    sims: async () => (await import("./commands/sims.ts")).addSims,
  },
  Operate: {
    doctor: async () => command((await import("./commands/doctor.ts")).doctor),
    health: async () => command((await import("./commands/health.ts")).health),
    completion: async () => completion(await import("./commands/completion.ts")),
    upgrade: async () => command((await import("./commands/doctor.ts")).upgrade),
    config: async () => (await import("./commands/config.ts")).addConfig,
    mcp: async () => (await import("./commands/mcp.ts")).addMcp,
    recipes: async () => command((await import("./commands/recipes.ts")).listRecipes),
    describe: async () => (await import("./commands/describe.ts")).addDescribe,
    backup: async () => command((await import("./commands/backup.ts")).backup),
    restore: async () => command((await import("./commands/backup.ts")).restore),
    export: async () => (await import("./commands/export.ts")).addExport,
    import: async () => (await import("./commands/import.ts")).addImport,
    redact: async () => command((await import("./commands/redact.ts")).redact),
    rebuild: async () => command((await import("./commands/rebuild.ts")).rebuild),
    regenerate: async () => command((await import("./commands/regenerate.ts")).regenerate),
    "state-files": async () => command((await import("./commands/state-files.ts")).stateFiles),
    fingerprint: async () => command((await import("./commands/fingerprint.ts")).fingerprint),
    fleet: async () => (await import("./commands/fleet.ts")).addFleet,
  },
};

/** Help tells of commands that are not to run. */
const HELP = new Set(["-h", "--help", "help"]);

type Commands = Readonly<Record<string, () => Promise<(program: Command) => void>>>;

/** A group whose commands follow from their definitions. */
async function operations(group: CommandGroup): Promise<(program: Command) => void> {
  const { addGroup } = await import("./making/operation-commands.ts");
  return (program) => void addGroup(program, group);
}

async function command(one: ProjectCommand): Promise<(program: Command) => void> {
  const { addCommands } = await import("./making/operation-commands.ts");
  return (program) => addCommands(program, one);
}

/** Completion knows the names of all commands, and loads one. */
function completion({ addCompletion }: typeof import("./commands/completion.ts")) {
  return (program: Command) => addCompletion(program, completed);
}

/** What completion works on. */
export const completed = {
  names: Object.fromEntries(
    Object.entries(GROUPS)
      .filter(([heading]) => heading !== HIDDEN)
      .map(([heading, group]) => [heading, Object.keys(group)]),
  ),
  create: createProgram,
};

/**
 * @param only the command that is wanted; absent, or where there is none of that name: all of them
 * @param typed all that is typed: commands that it does not name have a name, but no arguments and options; absent: all have them
 */
export async function createProgram(only?: string, typed?: readonly string[]): Promise<Command> {
  const isKnown = Object.values(GROUPS).some((group) => only !== undefined && Object.hasOwn(group, only));
  const wanted = (name: string) => !isKnown || name === only;
  const program = new PlainCommand("signalbox");
  if (isKnown && !typed?.some((word) => HELP.has(word))) program.typed = typed;
  program
    .description(
      "The event-sourced signal log for agent loops: every report is an event, and every state follows from events.",
    )
    .version(version)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage));
  for (const [heading, group] of Object.entries(GROUPS)) {
    program.commandsGroup(`${heading}:`);
    for (const [name, load] of Object.entries(group)) {
      if (wanted(name)) (await load())(program);
    }
  }
  program.helpCommand(true);
  return program;
}
