/** What an agent may be for; `src/mcp/recipes.ts` has the tools of each. */
export const recipeNames = [
  "signals",
  "braindump",
  "yap",
  "ramble",
  "discuss",
  "task_execution",
  "opus_review",
  "enrichment",
  "all",
] as const;
export type RecipeName = (typeof recipeNames)[number];
