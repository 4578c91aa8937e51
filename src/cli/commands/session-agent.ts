import type { z } from "zod";
import { givenFields } from "../../decisions/given-fields.ts";
import { observeAgentEnd, observeAgentStart, observeAgentUsage } from "../../decisions/rules/observations.ts";
import { agentEnded, agentStarted } from "../../events/types/agents.ts";
import { defineCommand } from "../making/project-command.ts";

const input = agentStarted.payload
  .pick({ session: true, agent: true, model: true, server: true })
  .partial({ agent: true, server: true })
  .extend(
    agentEnded.payload.pick({
      ...{ turns: true, input_tokens: true, output_tokens: true, cost_usd: true, exit_code: true },
    }).shape,
  );

/** What a driver has seen of a session's agent: for drivers that work by commands; `signalbox run` records it by itself. */
export const agent = defineCommand({
  input,
  async run(project, input, { key }) {
    const [{ type, position }] = await project.decide(observationOf(input), key);
    return { session: input.session, type, position };
  },
  command: {
    name: "agent",
    does: "record what the session's agent is, has used, or how its program ended",
    actor: "driver",
    takes: {
      session: ["<session>", "the session's id"],
      agent: ["--agent <name>", "it runs: its name"],
      model: ["--model <name>", "with --agent: its model"],
      server: ["--server <state>", "with --agent: whether it reached our server"],
      turns: ["--turns <n>", "turns so far"],
      input_tokens: ["--input-tokens <n>", "tokens in so far, those from a cache included"],
      output_tokens: ["--output-tokens <n>", "tokens out so far"],
      cost_usd: ["--cost-usd <amount>", "what the session has cost so far, in US dollars"],
      exit_code: ["--exit-code <n>", "exit code of the agent's program"],
    },
    example: "s-1 --turns 12 --cost-usd 0.61 --exit-code 0",
    says: ({ type, position }) => `${type} at position ${position}.`,
  },
});

function observationOf({
  session,
  agent,
  model,
  server = "unknown",
  exit_code,
  ...used
}: z.input<typeof input>) {
  if (agent !== undefined) return observeAgentStart(givenFields({ session, agent, server, model }));
  const usage = givenFields({ session, ...used });
  return exit_code === undefined ? observeAgentUsage(usage) : observeAgentEnd({ ...usage, exit_code });
}
