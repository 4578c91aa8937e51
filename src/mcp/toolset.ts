import type { z } from "zod";
import type { Store } from "../decisions/store.ts";
import { inOurWords } from "../lib/wrong-values.ts";
import type { ToolName } from "../operations/tool-names.ts";
import { findDiscipline } from "../queries/catalogue.ts";
import { findTask } from "../queries/tasks.ts";
import { ReadModelError } from "../read-model/read-model-error.ts";
import { catchUp } from "../read-model/worker.ts";
import { type Context, ContextError, type LaunchContext } from "./context.ts";
import { enabledTools } from "./filter.ts";
import { isOnOwn, narrowTool } from "./narrowing.ts";
import { findRecipe, type Recipe } from "./recipes.ts";
import type { Tool } from "./tool.ts";
import { sessionStateTool } from "./tools/session-state.ts";
import { signalTools } from "./tools/signals.ts";
import { verifyTool } from "./tools/verify.ts";

/**
 * The tools of a session. They are determined on first use, and stay the same until the context is
 * replaced: the listed tools never depend on earlier calls.
 */
export class Toolset {
  readonly #open: () => Promise<Store>;
  #context: LaunchContext;
  #tools: Promise<readonly Tool[]> | undefined;

  constructor(context: LaunchContext, open: () => Promise<Store>) {
    this.#context = context;
    this.#open = open;
  }

  /** @throws ContextError: there is no such discipline; ReadModelError `newer_version` */
  tools(): Promise<readonly Tool[]> {
    this.#tools ??= this.#settle();
    return this.#tools;
  }

  /** Switches to another context, from the next listing and call on. */
  replace(context: LaunchContext): void {
    this.#context = context;
    this.#tools = undefined;
  }

  /** A temporary obstacle, such as a full disk, may be gone next time. */
  #settle(): Promise<readonly Tool[]> {
    const settling = toolsOf(this.#context, this.#open);
    settling.catch(() => {
      if (this.#tools === settling) this.#tools = undefined;
    });
    return settling;
  }
}

/**
 * Whether a session may call a tool so; whether its words are as they must be is for who records them to say.
 *
 * @param args not checked yet
 * @throws as `Toolset.tools`
 */
export async function allowsCall(
  context: LaunchContext,
  open: () => Promise<Store>,
  name: ToolName,
  args: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const tool = (await toolsOf(context, open)).find((one) => one.name === name);
  if (!tool) return false;
  const { error } = tool.input.safeParse(args, inOurWords);
  const isOfWords = ({ code, path: [field] }: z.core.$ZodIssue) =>
    OF_WORDS.has(code) || (code === "invalid_type" && args[String(field)] === undefined);
  if (error && !error.issues.every(isOfWords)) return false;
  return isOnOwn(tool, recipeOf(context), context, args);
}

const OF_WORDS: ReadonlySet<string> = new Set(["too_small", "too_big", "custom"]);

function recipeOf(context: LaunchContext): Recipe {
  const recipe = findRecipe(context.recipe);
  if (!recipe) throw new ContextError(`There is no recipe ${context.recipe}.`);
  return recipe;
}

async function toolsOf(context: LaunchContext, open: () => Promise<Store>): Promise<readonly Tool[]> {
  const recipe = recipeOf(context);
  const byDiscipline =
    context.discipline === null && (context.task_id === null || context.bare)
      ? []
      : await disabledBy(context, await open());
  const names = enabledTools(recipe, { byDiscipline, byContext: context.disabled_tools });
  return (await loadTools(names)).map((tool) => narrowTool(tool, recipe, context));
}

/**
 * What the discipline takes away, whatever the recipe. A context that names none has that
 * of its task.
 */
async function disabledBy(context: Context, { readModel, log }: Store): Promise<readonly string[]> {
  try {
    await catchUp(readModel, log);
  } catch (error) {
    // A briefly blocked read model is still good enough; a newer program's tables are not.
    if (!(error instanceof ReadModelError) || error.code === "newer_version") throw error;
  }
  const task = context.task_id === null ? undefined : findTask(readModel, context.task_id);
  const discipline = context.discipline ?? task?.discipline;
  // The first call reports a missing task.
  if (discipline === undefined) return [];
  const found = findDiscipline(readModel, discipline);
  if (!found) {
    throw new ContextError(
      `The context names the discipline "${discipline}", which does not exist. Run \`signalbox ` +
        "discipline list` to see all disciplines.",
    );
  }
  return found.disabled_tools;
}

/**
 * The definitions of these tools; reporting ones are available at once, the others are loaded on
 * demand.
 */
async function loadTools(names: readonly ToolName[]): Promise<readonly Tool[]> {
  const reporting: readonly Tool[] = [...signalTools, verifyTool, sessionStateTool];
  const known = names.every((name) => reporting.some((tool) => tool.name === name))
    ? reporting
    : (await import("./tools/index.ts")).tools;
  return names.flatMap((name) => known.find((tool) => tool.name === name) ?? []);
}
