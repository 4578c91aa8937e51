import { type Command, Option } from "commander";
import {
  changeDiscipline,
  createDiscipline,
  type DisciplineFields,
  deleteDiscipline,
} from "../../decisions/disciplines.ts";
import { noDiscipline, stateOf } from "../../decisions/state.ts";
import type { McpServers } from "../../events/types/mcp-fields.ts";
import type { Discipline } from "../../projections/queries/catalogue.ts";
import { printJson } from "../../terminal/output.ts";
import {
  type CommonOptions,
  collectOrNone,
  guarded,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";
import {
  addDelete,
  addList,
  type EntryFields,
  entryCommand,
  type Kind,
  showHead,
  showLines,
  showText,
  write,
} from "./catalogue.ts";
import { collectServer, parseTools } from "./discipline-options.ts";

const kind: Kind = { noun: "discipline", list: "disciplines" };

export function addDiscipline(program: Command): void {
  const group = program
    .command("discipline")
    .description("disciplines: what kind of agent works on a task, and what it does without");
  fieldsOf(group.command("add").description("add a discipline"))
    .addHelpText(
      "after",
      "\nExample:\n  signalbox discipline add frontend --icon 🎨 --skill CSS --disable-tools create_task",
    )
    .action((name: string, options: Fields) =>
      guarded(() => write(kind, name, createDiscipline(given(name, options)), options)),
    );
  fieldsOf(group.command("set").description("change a discipline"))
    .addOption(new Option("--no-mcp-servers", "without the MCP servers that it had").conflicts("mcpServer"))
    .addHelpText(
      "after",
      `\nExample:\n  signalbox discipline set frontend --mcp-server 'shadcn={"command":"npx","args":["-y","shadcn"]}'`,
    )
    .action((name: string, options: Fields) =>
      guarded(() => write(kind, name, changeDiscipline(given(name, options)), options)),
    );
  addList(group, kind);
  addShow(group);
  addDelete(group, kind, deleteDiscipline);
}

interface Fields extends EntryFields {
  readonly icon?: string;
  readonly color?: string;
  readonly systemPrompt?: string;
  readonly skill?: string[];
  readonly conventions?: string;
  readonly disableTools?: string[];
  readonly mcpServer?: McpServers;
  /** False for --no-mcp-servers. */
  readonly mcpServers?: boolean;
}

function fieldsOf(command: Command): Command {
  return writingOptions(
    entryCommand(command)
      .option("--icon <icon>", "a sign for people: an emoji or an icon's name")
      .option("--color <color>", "a name or #rrggbb")
      .option("--system-prompt <text>", "how its agents are addressed in the prompt")
      .option("--skill <text>", "what its agents can do (repeatable)", collectOrNone)
      .option("--conventions <text>", "what its agents keep to")
      .option(
        "--disable-tools <names>",
        "tools that its agents do without, e.g. create_task,delete_task",
        parseTools,
      )
      .option(
        "--mcp-server <name=json>",
        "an MCP server that its agents get beside ours, as clients configure it (repeatable)",
        collectServer,
      ),
  );
}

/** What was given, under the names that decisions have for it. */
function given(name: string, options: Fields): DisciplineFields {
  return {
    name,
    display_name: options.displayName,
    description: options.description,
    acronym: options.acronym,
    icon: options.icon,
    color: options.color,
    system_prompt: options.systemPrompt,
    skills: options.skill,
    conventions: options.conventions,
    disabled_tools: options.disableTools,
    mcp_servers: options.mcpServers === false ? {} : options.mcpServer,
  };
}

function addShow(group: Command): void {
  readingOptions(group.command("show").description("show a discipline").argument("<name>", "its name"))
    .addHelpText("after", "\nExample:\n  signalbox discipline show general")
    .action((name: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries, store }) => {
          const discipline = await queries.discipline(name);
          if (!discipline) throw noDiscipline(stateOf(store.readModel), name);
          if (options.json) printJson(discipline);
          else show(discipline);
        }),
      ),
    );
}

function show(discipline: Discipline): void {
  showHead(discipline, [discipline.acronym, discipline.icon, discipline.color]);
  showText("system prompt", discipline.system_prompt);
  showLines("skills", discipline.skills);
  showText("conventions", discipline.conventions);
  showLines("does without these tools", discipline.disabled_tools);
  showLines(
    "MCP servers beside ours",
    Object.entries(discipline.mcp_servers).map(([name, server]) => `${name} ${JSON.stringify(server)}`),
  );
}
