import type { Command } from "commander";
import { changeFeature, createFeature, deleteFeature, type FeatureFields } from "../../decisions/features.ts";
import { noFeature, stateOf } from "../../decisions/state.ts";
import type { FeatureDetails } from "../../projections/queries/catalogue.ts";
import { pc, print, printJson, quoteText } from "../../terminal/output.ts";
import {
  type CommonOptions,
  collectOrNone,
  guarded,
  parseNames,
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
import { addContextFileCommand, addLearn } from "./feature-knowledge.ts";

const kind: Kind = { noun: "feature", list: "features" };

export function addFeature(program: Command): void {
  const group = program.command("feature").description("features, to which tasks and learnings belong");
  fieldsOf(group.command("add").description("add a feature"))
    .addHelpText(
      "after",
      "\nExample:\n  signalbox feature add billing --display-name Billing --boundaries 'No tax returns.'",
    )
    .action((name: string, options: Fields) =>
      guarded(() => write(kind, name, createFeature(given(name, options)), options)),
    );
  fieldsOf(group.command("set").description("change a feature"))
    .addHelpText("after", "\nExample:\n  signalbox feature set general --description 'Everything else.'")
    .action((name: string, options: Fields) =>
      guarded(() => write(kind, name, changeFeature(given(name, options)), options)),
    );
  addList(group, kind);
  addShow(group);
  addLearn(group);
  addContextFileCommand(group);
  addDelete(group, kind, deleteFeature);
}

interface Fields extends EntryFields {
  readonly contextFile?: string[];
  readonly knowledgePath?: string[];
  readonly architecture?: string;
  readonly boundaries?: string;
  readonly dependsOn?: string[];
}

function fieldsOf(command: Command): Command {
  return writingOptions(
    entryCommand(command)
      .option(
        "--context-file <path>",
        "a file that the agents of its tasks should know (repeatable)",
        collectOrNone,
      )
      .option(
        "--knowledge-path <path>",
        "a file or folder that they should read first (repeatable)",
        collectOrNone,
      )
      .option("--architecture <text>", "how it is built")
      .option("--boundaries <text>", "what is not part of it")
      .option("--depends-on <names>", "features that it builds on, e.g. core,billing", parseNames),
  );
}

/** What was given, under the names that decisions have for it. */
function given(
  name: string,
  { displayName, description, acronym, contextFile, knowledgePath, dependsOn, ...options }: Fields,
): FeatureFields {
  return {
    name,
    display_name: displayName,
    description,
    acronym,
    context_files: contextFile,
    knowledge_paths: knowledgePath,
    architecture: options.architecture,
    boundaries: options.boundaries,
    dependencies: dependsOn,
  };
}

function addShow(group: Command): void {
  readingOptions(
    group
      .command("show")
      .description("show a feature with what was learned about it")
      .argument("<name>", "its name"),
  )
    .addHelpText("after", "\nExample:\n  signalbox feature show general")
    .action((name: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries, store }) => {
          const feature = await queries.feature(name);
          if (!feature) throw noFeature(stateOf(store.readModel), name);
          if (options.json) printJson(feature);
          else show(feature);
        }),
      ),
    );
}

function show(feature: FeatureDetails): void {
  showHead(feature, [feature.acronym]);
  showText("architecture", feature.architecture);
  showText("boundaries", feature.boundaries);
  showLines("depends on", feature.dependencies);
  showLines("read first", feature.knowledge_paths);
  showLines("context files", feature.context_files);
  if (feature.learnings.length > 0) print(`\n${pc.dim("learnings")}`);
  for (const { id, kind: of, text, rationale, confirmations } of feature.learnings) {
    print(`  ${pc.dim(`#${id} ${of}${confirmations > 1 ? `, confirmed ${confirmations} times` : ""}`)}`);
    print(quoteText(rationale === null ? text : `${text}\nWhy: ${rationale}`).replace(/^/gm, "    "));
  }
  if (feature.learnings_left_out > 0)
    print(`  ${pc.dim(`and ${feature.learnings_left_out} more, in .ralph/learnings.txt`)}`);
}
