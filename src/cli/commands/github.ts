import type { Command } from "commander";
import { loadTrackers } from "../../adapters.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import type { TrackerKind } from "../../config/tracker-settings.ts";
import { counted } from "../../lib/readable.ts";
import { pc, print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import {
  type CommonOptions,
  EXIT,
  guarded,
  projectOptions,
  readModelPath,
  withProject,
} from "../making/command.ts";

/** Written for commander: loads an adapter, and tells each step. */
export function addGithub(program: Command): void {
  addTracker(program, "github", "GitHub");
}

export function addGitlab(program: Command): void {
  addTracker(program, "gitlab", "GitLab");
}

function addTracker(program: Command, kind: TrackerKind, title: string): void {
  const group = program.command(kind).description(`tasks from ${title}'s issues, and answers from there`);
  projectOptions(group.command("sync"))
    .description(`bring tasks and ${title}'s issues in step, both ways, once`)
    .addHelpText("after", `\nExample:\n  signalbox ${kind} sync`)
    .action((options: CommonOptions) => guarded(() => sync(kind, options)));
}

async function sync(kind: TrackerKind, options: CommonOptions): Promise<void> {
  const path = readModelPath(options);
  const config = confirmedConfig(path);
  const { openTracker, syncTracker } = await loadTrackers();
  await withProject(options, async (project) => {
    const { adapter, options: of } = await openTracker(kind, config, path);
    const report = await syncTracker(project, adapter, of);
    const { issues, created, changed, comments, answers, pullRequests, problems } = report;
    if (options.json) printJson(report);
    else {
      print(
        `${counted(issues, "issue")} of ${adapter.repository}: ${counted(created, "new task")}, ${counted(changed, "change")}, ${counted(answers, "answer")}; told in ${counted(comments, "comment")} and ${counted(pullRequests, "pull request")}.`,
      );
      for (const problem of problems) print(`${pc.yellow("!")} ${quoteLine(problem, 500)}`);
    }
    if (problems.length > 0) process.exitCode = EXIT.refused;
  });
}
