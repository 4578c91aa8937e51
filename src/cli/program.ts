import { Command } from "commander";
import { version } from "../version.ts";
import { EXIT } from "./command.ts";
import { addBackup, addRestore } from "./commands/backup.ts";
import { addComment } from "./commands/comment.ts";
import { addConfig } from "./commands/config.ts";
import { addDemo } from "./commands/demo.ts";
import { addDescribe } from "./commands/describe.ts";
import { addDiff } from "./commands/diff.ts";
import { addDiscipline } from "./commands/discipline.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addDriver } from "./commands/driver.ts";
import { addExport } from "./commands/export.ts";
import { addFeature } from "./commands/feature.ts";
import { addFingerprint } from "./commands/fingerprint.ts";
import { addGate } from "./commands/gate.ts";
import { addHead } from "./commands/head.ts";
import { addHistory } from "./commands/history.ts";
import { addImport } from "./commands/import.ts";
import { addInbox } from "./commands/inbox.ts";
import { addInit } from "./commands/init.ts";
import { addKey } from "./commands/key.ts";
import { addLaunch } from "./commands/launch.ts";
import { addLearning } from "./commands/learning.ts";
import { addLog } from "./commands/log.ts";
import { addMcp } from "./commands/mcp.ts";
import { addMerge } from "./commands/merge.ts";
import { addMetrics } from "./commands/metrics.ts";
import { addNext } from "./commands/next.ts";
import { addPolicy } from "./commands/policy.ts";
import { addPretend } from "./commands/pretend.ts";
import { addProgress } from "./commands/progress.ts";
import { addProject } from "./commands/project.ts";
import { addPrompt } from "./commands/prompt.ts";
import { addProve } from "./commands/prove.ts";
import { addRebuild } from "./commands/rebuild.ts";
import { addRecipes } from "./commands/recipes.ts";
import { addRedact } from "./commands/redact.ts";
import { addRegenerate } from "./commands/regenerate.ts";
import { addRun } from "./commands/run.ts";
import { addServe } from "./commands/serve.ts";
import { addSession } from "./commands/session.ts";
import { addSignal } from "./commands/signal.ts";
import { addSims } from "./commands/sims.ts";
import { addSnapshot } from "./commands/snapshot.ts";
import { addStateFiles } from "./commands/state-files.ts";
import { addStatus } from "./commands/status.ts";
import { addTask } from "./commands/task.ts";
import { addVerify } from "./commands/verify.ts";
import { addWatch } from "./commands/watch.ts";
import { addWhatIf } from "./commands/what-if.ts";
import { addWhy } from "./commands/why.ts";

/** All commands. Adding one: a file in commands/, and its line here. */
export function createProgram(): Command {
  const program = new Command("signalbox")
    .description(
      "The event-sourced signal log for agent loops: every report is an event, everything else follows.",
    )
    .version(version)
    .showHelpAfterError("(add --help for what it takes)")
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage));
  const add = [
    addInit,
    addStatus,
    addTask,
    addNext,
    addRun,
    addSession,
    addSignal,
    addLaunch,
    addDriver,
    addPrompt,
    addWatch,
    addServe,
    addInbox,
    addMerge,
    addComment,
    addGate,
    addFeature,
    addDiscipline,
    addLearning,
    addProgress,
    addProject,
    addPolicy,
    addLog,
    addWhatIf,
    addVerify,
    addHead,
    addKey,
    addProve,
    addWhy,
    addDiff,
    addHistory,
    addSnapshot,
    addMetrics,
    addConfig,
    addDoctor,
    addStateFiles,
    addRegenerate,
    addFingerprint,
    addRebuild,
    addBackup,
    addRestore,
    addExport,
    addImport,
    addRedact,
    addMcp,
    addRecipes,
    addDescribe,
    addPretend,
    addSims,
    addDemo,
  ];
  for (const command of add) command(program);
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
        group.error(`error: unknown command '${extra}', there are ${names.join(", ")}`);
    });
}
