import type { Project } from "../../../src/api/project.ts";
import type { McpServers } from "../../../src/events/types/mcp-fields.ts";
import type { LaunchWish } from "../../../src/mcp/launching/plan.ts";
import { catchUp } from "../../../src/read-model/worker.ts";

export const SHADCN: McpServers[string] = { command: "npx", args: ["-y", "shadcn-ui-mcp"], env: { A: "b" } };

/** A discipline as its event has it: tools taken away, servers of its own. */
export async function givenDiscipline(
  { store: { log, readModel } }: Pick<Project, "store">,
  discipline: string,
  fields: { readonly disabled_tools?: readonly string[]; readonly mcp_servers?: McpServers },
): Promise<void> {
  const payload = { discipline, display_name: discipline, description: "", ...fields };
  await log.append([{ type: "discipline.created", actor: "human", payload }]);
  await catchUp(readModel, log);
}

/** What a session of a recipe is launched for; what is not said is as of a session without any of it. */
export function wish(of: Partial<LaunchWish> & Pick<LaunchWish, "recipe">): LaunchWish {
  return { session: "s-1", task: null, discipline: null, feature: null, ...of };
}
