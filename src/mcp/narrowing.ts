import { z } from "zod";
import type { Context } from "./context.ts";
import type { Recipe } from "./recipes.ts";
import type { Tool } from "./tool.ts";
import { ToolRefusal } from "./tool-refusal.ts";

/**
 * A tool narrowed by a recipe: to some of its fields, and to the session's own task or discipline.
 * Accepts only arguments that the tool itself accepts.
 */
export function narrowTool(tool: Tool, recipe: Recipe, context: Context): Tool {
  return ownTarget(narrowFields(tool, recipe), recipe, context);
}

/** A tool with only the fields that the recipe names, if it names any. */
export function narrowFields(tool: Tool, { fields }: Recipe): Tool {
  const kept = fields?.[tool.name];
  if (!kept) return tool;
  const shape = Object.entries(tool.input.shape).filter(([field]) => kept.includes(field));
  const input = z.strictObject(Object.fromEntries(shape));
  return { ...tool, input };
}

function ownTarget(tool: Tool, recipe: Recipe, context: Context): Tool {
  return {
    ...tool,
    async run(args, call) {
      if (!isOnOwn(tool, recipe, context, args)) throw notOwn(tool, recipe, ownOf(tool, context));
      return tool.run(args, call);
    },
  };
}

/** Whether a call is for what the recipe leaves it: the session's own task or discipline, or any. */
export function isOnOwn(
  tool: Tool,
  recipe: Recipe,
  context: Context,
  args: Readonly<Record<string, unknown>>,
): boolean {
  const { target } = tool;
  if (target === undefined || recipe.own !== target.of) return true;
  const own = ownOf(tool, context);
  return own !== null && args[target.field] === own;
}

function ownOf({ target }: Tool, { task_id, discipline }: Context): string | number | null {
  return target?.of === "task" ? task_id : discipline;
}

function notOwn({ name, target }: Tool, recipe: Recipe, own: string | number | null): ToolRefusal {
  const field = target?.field ?? "";
  return new ToolRefusal(
    own === null
      ? `Nothing was recorded: in the recipe ${recipe.name}, ${name} works only on the session's own ` +
          `${target?.of}, and this session has none.`
      : `Nothing was recorded: in the recipe ${recipe.name}, ${name} works only on the session's own ` +
          `${target?.of}. Call it with \`${field}\` ${JSON.stringify(own)}.`,
  );
}
