import type { Kind } from "./kinds.ts";

/** The values of a kind that the program or the configuration has. @param readModelPath of the project; may throw where there is none */
export async function otherValues(kind: Kind, readModelPath: () => string): Promise<readonly string[]> {
  switch (kind) {
    case "status":
      return (await import("../../events/types/fields.ts")).taskStatuses;
    case "recipe":
      return (await import("../../mcp/recipes.ts")).recipes.map(({ name }) => name);
    case "agent": {
      const { agentNames } = await import("../../config/schema.ts");
      const { readConfig } = await import("../../config/config.ts");
      return agentNames(readConfig(readModelPath()));
    }
    default:
      return [];
  }
}
