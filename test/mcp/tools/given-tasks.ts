import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Project } from "../../../src/api/project.ts";
import type { Decision } from "../../../src/decisions/decide.ts";
import { recordSignal } from "../../../src/decisions/rules/reports.ts";
import type { Verb } from "../../../src/events/types/signals.ts";
import { tools } from "../../../src/mcp/tools/index.ts";
import { createDiscipline } from "../../../src/operations/disciplines.ts";
import { createFeature } from "../../../src/operations/features.ts";
import { endSession, startSession } from "../../../src/operations/sessions.ts";
import { catchUp } from "../../../src/read-model/worker.ts";
import { callTool, connectWith } from "../../support/mcp.ts";
import { freshProject } from "../../support/project.ts";

type Answer = Awaited<ReturnType<typeof callTool>>;

export interface GivenTasks {
  readonly project: Project;
  readonly agent: Client;
  /** Calls a tool; what it answers must be what its output schema says. */
  call(tool: string, args: Record<string, unknown>, use?: string): Promise<Answer>;
  decides(...decisions: readonly Decision[]): Promise<void>;
  /** A session in which an agent says this; it ends unless `ends` is false. */
  session(
    task: number,
    session: string,
    said: readonly (readonly [Verb, Record<string, unknown>])[],
    ends?: boolean,
  ): Promise<void>;
}

/** A project with features `general` and `reports`, and a client whose context is of the recipe `all` unless it says more. */
export async function givenTasks(
  context: Parameters<typeof connectWith>[1] = { recipe: "all" },
): Promise<GivenTasks> {
  const { project } = await freshProject();
  await project.decide(createFeature({ name: "reports" }));
  await project.decide(createDiscipline({ name: "backend" }));
  const agent = await connectWith(project.store, context);
  return {
    project,
    agent,
    async call(name, args, use) {
      const answer = await callTool(agent, name, args, use);
      if (!answer.isError) tools.find((tool) => tool.name === name)?.output.parse(answer.structured);
      return answer;
    },
    async decides(...decisions) {
      for (const decision of decisions) await project.decide(decision);
    },
    async session(task, session, said, ends = true) {
      await project.decide(startSession({ task, session, force: true }));
      for (const [verb, args] of said) {
        const id = project.store.environment.newId();
        await recordSignal(project.store, { task, session, actor: "agent" }, { verb, args, id });
      }
      await catchUp(project.store.readModel, project.log);
      if (ends) await project.decide(endSession({ session, exit: "exited" }));
    },
  };
}

/** The call is refused with these words in the message, and nothing was recorded. */
export async function refusalOf(
  { project, call }: GivenTasks,
  tool: string,
  args: Record<string, unknown>,
): Promise<string> {
  const head = await project.log.head();
  const answer = await call(tool, args);
  const recorded = (await project.log.head()) - head;
  return answer.isError && recorded === 0 ? answer.text : `not refused: ${answer.text}`;
}
