import { type Command, Option } from "commander";
import type { Project } from "../../api/project.ts";
import { type Config, readConfig } from "../../config/config.ts";
import { LOOP_RECIPES } from "../../config/schema.ts";
import { printJson } from "../../lib/terminal/output.ts";
import { buildPrompt } from "../../loop/prompt/build.ts";
import type { Prompt } from "../../loop/prompt/part.ts";
import { recordPrompt } from "../../loop/prompt/record.ts";
import { catchUp } from "../../read-model/worker.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  pointOption,
  readModelPath,
  withProject,
  writingOptions,
} from "../making/command.ts";
import { explainPrompt, explainRecorded, recordedPrompt } from "../printing/prompt-explanation.ts";

interface Options extends CommonOptions {
  readonly session?: string;
  readonly tokens?: number;
  readonly recipe?: Config["recipe"];
  readonly explain?: boolean;
}

/** Written for commander: prints a prompt to the byte. */
export function addPrompt(program: Command): void {
  pointOption(
    writingOptions(
      program
        .command("prompt")
        .description("print the prompt for a task's next session")
        .argument("<task>", "the task's id", parseId)
        .option("--session <id>", "the open session that will read the prompt; its contents are recorded")
        .option(
          "--tokens <n>",
          "the size limit (default: prompt.tokens in .ralph/config.json, or 12000)",
          parseId,
        )
        .addOption(
          new Option(
            "--recipe <recipe>",
            "the agent's purpose (default: recipe in .ralph/config.json, or signals)",
          ).choices(LOOP_RECIPES),
        )
        .option("--explain", "show each part, the reason for it, and what was cut; records nothing"),
      "driver",
    ),
  )
    .addHelpText("after", "\nExample:\n  signalbox prompt 7 --session s-1 > prompt.md")
    .action((task: number, options: Options) =>
      guarded(() => withProject(askedFor(options), (project) => run(project, task, options))),
    );
}

/** Only what is recorded is in somebody's name: an agent may read its prompt. */
function askedFor(options: Options): Options {
  const { actor: _, ...reading } = options;
  return records(options) ? options : reading;
}

function records(options: Options): options is Options & { readonly session: string } {
  return options.session !== undefined && !options.explain;
}

async function run(project: Project, task: number, options: Options): Promise<void> {
  const { session, explain, json } = options;
  await catchUp(project.store.readModel, project.log);
  const before =
    explain && session !== undefined ? await recordedPrompt(project.store, task, session) : undefined;
  if (before) {
    if (json) printJson(before);
    else explainRecorded(before);
    return;
  }
  const config = readConfig(readModelPath(options));
  const { tokens = config.prompt.tokens, recipe = config.recipe } = options;
  const prompt = buildPrompt(project.store.readModel, { task, tokens, recipe, session });
  if (records(options)) {
    const { session, actor = "driver", key } = options;
    await recordPrompt(project.store, prompt, { session, actor, key });
  }
  if (json) printJson(asJson(prompt, session));
  else if (explain) explainPrompt(prompt);
  else process.stdout.write(prompt.text);
}

/** The whole structure; an entry says if it went in. */
function asJson({ parts, task, ...prompt }: Prompt, session: string | undefined) {
  return {
    task,
    session: session ?? null,
    ...prompt,
    parts: parts
      .filter(({ entries }) => entries.length > 0)
      .map(({ name, heading, why, required, taken, cut }) => ({
        name,
        heading,
        why,
        required,
        entries: [
          ...taken.map((entry) => ({ ...shown(entry), cut: false })),
          ...cut.map((entry) => ({ ...shown(entry), cut: true })),
        ],
      })),
  };
}

function shown({ text, positions, why }: Prompt["parts"][number]["taken"][number]) {
  return { why, positions, characters: text.length, text };
}
