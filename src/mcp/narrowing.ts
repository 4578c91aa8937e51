import { z } from "zod";
import type { Context } from "./context.ts";
import type { Recipe } from "./recipes.ts";
import type { Tool } from "./tool.ts";
import { ToolRefusal } from "./tool-refusal.ts";

/**
 * A tool as a recipe has it: with some of its fields only, and for the session's own task or discipline only. The result
 * takes nothing that the tool itself would not take.
 */
export function narrowTool(tool: Tool, recipe: Recipe, context: Context): Tool {
  return ownTarget(narrowFields(tool, recipe), recipe, context);
}

/** A tool with those of its fields that the recipe names, where it names some. */
export function narrowFields(tool: Tool, { fields }: Recipe): Tool {
  const kept = fields?.[tool.name];
  if (!kept) return tool;
  const shape = Object.entries(tool.input.shape).filter(([field]) => kept.includes(field));
  const input = z.strictObject(Object.fromEntries(shape));
  return { ...tool, input };
}

function ownTarget(tool: Tool, recipe: Recipe, context: Context): Tool {
  const { target } = tool;
  if (target === undefined || recipe.own !== target.of) return tool;
  const own = target.of === "task" ? context.task_id : context.discipline;
  return {
    ...tool,
    async run(args, call) {
      if (own === null || args[target.field] !== own) throw notOwn(tool, recipe, own);
      return tool.run(args, call);
    },
  };
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
