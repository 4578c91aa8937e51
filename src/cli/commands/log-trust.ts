import type { Command } from "commander";
import type { Project } from "../../api/project.ts";
import { knownLog, type LogStanding, STANDING_WORDS, trustLog } from "../../config/known-log.ts";
import { projectState } from "../../config/project-state.ts";
import { Refusal } from "../../decisions/refusal.ts";
import { eventAt } from "../../events/event-at.ts";
import { readTree } from "../../history/audit/tree.ts";
import { counted } from "../../lib/readable.ts";
import { pc, print, printJson } from "../../lib/terminal/output.ts";
import { visible } from "../../lib/visible.ts";
import { gates } from "../../projections/board/tables.ts";
import { listDisciplines } from "../../queries/catalogue.ts";
import { type Confirming, requireHuman } from "../asking/require-human.ts";
import {
  type CommonOptions,
  guarded,
  projectOptions,
  readModelPath,
  withProject,
} from "../making/command.ts";

interface Options extends CommonOptions, Confirming {}

/** Written for commander: shows the log and asks, before it answers. */
export function addLogTrust(group: Command): void {
  projectOptions(
    group
      .command("trust")
      .description(
        "confirm the log as this project's, so that its gates and agents may run: shows what is new or gone, then asks",
      )
      .option("--yes", "confirm it without asking")
      .option("--digest <sha256>", "confirm it without asking if its tree has this root"),
  )
    .addHelpText("after", "\nExample:\n  signalbox log trust")
    .action((options: Options) =>
      guarded(() => withProject({ actor: "human", ...options }, (project) => trust(project, options))),
    );
}

async function trust(project: Project, options: Options): Promise<void> {
  const path = readModelPath(options);
  const found = await look(project, path);
  const { standing, root, events } = found;
  if (options.digest !== undefined && options.digest.toLowerCase() !== root)
    throw new Refusal(
      "not_possible",
      `Nothing was confirmed: the tree of this log has the root ${root}. Review it before you confirm it.`,
    );
  const say = options.json ? (line: string) => void process.stderr.write(`${line}\n`) : print;
  if (standing !== "known") {
    for (const line of linesOf(found, standing)) say(line);
    await requireHuman("this log", options, {
      question: "Confirm this log?",
      instead: "Review the log, then add --yes, or --digest with the root of its tree.",
    });
    await trustLog(project.log, path, events);
  }
  if (options.json) printJson(found);
  else {
    print(
      `${pc.green("✓")} ${standing === "known" ? "This log is known already." : "This log is confirmed."}`,
    );
    print(pc.dim(`  sha256 ${root} of ${counted(events, "event")}`));
  }
}

type Found = Awaited<ReturnType<typeof look>>;

/** What a human must know who is to confirm a log: above all what would run from it, and who had it run. */
async function look(project: Project, path: string) {
  const { log, store } = project;
  const standing: LogStanding = (await store.guard?.standing(log)) ?? "known";
  const known = knownLog(projectState(path));
  const tree = await readTree(log);
  const root = (tree.roots.get(tree.events) ?? Buffer.alloc(0)).toString("hex");
  const { rows, servers } = await project.ask((readModel) => ({
    rows: readModel
      .rowsOf({ gates })
      .gates.scan()
      .map(({ task_id: task, gate, command, state, approval, declared }) => ({
        ...{ task, gate, command, state, approval, declared },
      })),
    servers: listDisciplines(readModel).flatMap(({ name, mcp_servers }) =>
      Object.entries(mcp_servers).map(([server, settings]) => ({ discipline: name, server, settings })),
    ),
  }));
  const declared = await Promise.all(
    rows.map(async (row) => {
      const event = await eventAt(log, row.declared);
      return { ...row, by: event?.actor ?? null, at: event?.recordedAt ?? null };
    }),
  );
  const { log: id = null } = await log.identity();
  return {
    ...{ standing, log: id, events: tree.events, root },
    known: known ? { log: known.log ?? null, events: known.size } : null,
    ...{ gates: declared, servers },
  };
}

function linesOf(
  { log, events, known, gates: declared, servers }: Found,
  standing: Exclude<LogStanding, "known">,
): string[] {
  const before = known ? `; it had ${counted(known.events, "event")} when it was seen last` : "";
  return [
    `${STANDING_WORDS[standing]}: ${log ?? "an empty log"} with ${counted(events, "event")}${before}.`,
    ...changesIn(events, known, standing),
    ...(declared.length > 0 ? ["Gates, whose commands run on this machine:"] : ["It declares no gates."]),
    ...declared.map(
      ({ task, gate, command, state, approval, by, declared: position }) =>
        `  task ${task}, gate ${gate} (${state}${approval === "unneeded" ? "" : `, approval ${approval}`}), by ${visible(by ?? "unknown")} at #${position}: ${visible(command)}`,
    ),
    ...(servers.length > 0 ? ["MCP servers, which agents' clients start:"] : []),
    ...servers.map(
      ({ discipline, server, settings }) =>
        `  discipline ${visible(discipline)}, ${visible(server)}: ${visible(JSON.stringify(settings))}`,
    ),
  ];
}

function changesIn(events: number, known: Found["known"], standing: LogStanding): string[] {
  if (!known) return [];
  const both = Math.min(events, known.events);
  const lines =
    standing === "truncated" ? [] : [`  Some of the events 1 to ${both} are not those that were there.`];
  if (events > known.events)
    lines.push(
      `  New: #${known.events + 1} to #${events} (\`signalbox log list --from ${known.events + 1}\`).`,
    );
  if (events < known.events) lines.push(`  Gone: #${events + 1} to #${known.events}.`);
  return lines;
}
