import type { Command } from "commander";
import { loadTelemetry } from "../../adapters.ts";
import type { Project } from "../../api/project.ts";
import { print, printJson } from "../../lib/terminal/output.ts";
import { toIsoTime, toSqlTime } from "../../lib/time.ts";
import { configToUse } from "../asking/confirm-config.ts";
import { type CommonOptions, guarded, projectOptions, withProject } from "../making/command.ts";
import { momentIn } from "../making/moment-in.ts";

interface Options extends CommonOptions {
  readonly since?: string;
}

/** Written for commander: loads an adapter. */
export function addExportTraces(group: Command): void {
  projectOptions(
    group
      .command("export-traces")
      .description("send the traces of ended sessions to the configured OTLP endpoint"),
  )
    .option(
      "--since <time>",
      "only sessions that ended at or after this time: 2026-02-11, or e.g. 7 days ago",
    )
    .addHelpText("after", "\nExample:\n  signalbox metrics export-traces --since yesterday")
    .action((options: Options) => guarded(() => withProject(options, (project) => send(project, options))));
}

async function send(project: Project, options: Options): Promise<void> {
  const { endpointOf, exportTraces, TelemetryError } = await loadTelemetry();
  const endpoint = endpointOf(await configToUse(options), process.env);
  if (!endpoint) {
    throw new TelemetryError(
      "no_endpoint",
      "No OTLP endpoint is configured. Set metrics.otlp.endpoint in .ralph/config.json, or OTEL_EXPORTER_OTLP_ENDPOINT, to a URL such as http://localhost:4318.",
    );
  }
  const since = await momentIn(options.since, project);
  const sent = await exportTraces(
    project,
    endpoint,
    since === undefined ? undefined : toSqlTime(toIsoTime(since)),
  );
  const { host } = new URL(endpoint.url);
  if (options.json) printJson({ endpoint: endpoint.url, ...sent });
  else print(`Sent ${sent.sessions} traces with ${sent.spans} spans to ${host}.`);
}
