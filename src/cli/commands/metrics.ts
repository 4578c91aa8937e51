import { type Command, Option } from "commander";
import type { Project } from "../../api/project.ts";
import { printJson } from "../../lib/terminal/output.ts";
import { METRIC_GROUPS, METRIC_PERIODS, type MetricsOptions } from "../../queries/metrics/scope.ts";
import { type CommonOptions, guarded, readingOptions, withProject } from "../making/command.ts";
import { momentIn } from "../making/moment-in.ts";
import { metricsCsv, showMetrics } from "../printing/metrics-output.ts";
import { addExportTraces } from "./metrics-export-traces.ts";

interface Options extends CommonOptions {
  readonly since?: string;
  readonly until?: string;
  readonly by?: MetricsOptions["by"];
  readonly every?: MetricsOptions["every"];
  readonly csv?: boolean;
}

/** Written for commander: prints CSV, too. */
export function addMetrics(program: Command): void {
  const group = program
    .command("metrics")
    .description(
      "show time per phase, cost per verified task, what became of dones, waiting times, gates and learnings",
    );
  readingOptions(
    group.command("show", { isDefault: true }).description("print the figures as tables, JSON or CSV"),
  )
    .option(
      "--since <time>",
      "only work that began at or after this time: 2026-02-11, a time in UTC, or e.g. 7 days ago",
    )
    .option("--until <time>", "only work that began before this time")
    .addOption(new Option("--by <group>", "group the figures").choices(METRIC_GROUPS))
    .addOption(
      new Option("--every <period>", "closing verbs per day or per week")
        .choices(METRIC_PERIODS)
        .default("day"),
    )
    .addOption(new Option("--csv", "print CSV: table, group, item, figure, value").conflicts("json"))
    .addHelpText("after", "\nExample:\n  signalbox metrics --by feature --since '7 days ago'")
    .action((options: Options) => guarded(() => withProject(options, (project) => show(project, options))));
  addExportTraces(group);
}

async function show(project: Project, { since, until, by, every, json, csv }: Options): Promise<void> {
  const now = project.store.environment.now();
  const found = await project.queries.metrics({
    now,
    since: await momentIn(since, project),
    until: await momentIn(until, project),
    by,
    every,
  });
  if (json) printJson(found);
  else if (csv) process.stdout.write(metricsCsv(found));
  else showMetrics(found);
}
