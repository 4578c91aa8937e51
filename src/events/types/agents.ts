import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, longText, name, sessionId } from "./fields.ts";
import { structural } from "./structure.ts";

/*
 * What a driver sees of the process that runs an agent. The agent's own reports are signals; these are facts about its
 * program, and settle nothing.
 */
const agentStream = (payload: { session: string }): string => `session-${payload.session}`;

/** By this the costs of an agent's sessions are put together. */
const conversation = structural(line);

/** What an agent's program has used; a part that it did not tell is absent, never 0. */
const usage = {
  turns: z.int().min(0).optional(),
  /** All that went in, what came from a cache included. */
  input_tokens: z.int().min(0).optional(),
  output_tokens: z.int().min(0).optional(),
  /** Of this session alone, in US dollars. */
  cost_usd: z.number().min(0).max(1_000_000).optional(),
};

/** Whether the agent could reach our server: `failed` it was tried, `missing` it is not among the agent's servers. */
export const serverStates = ["connected", "failed", "missing", "unknown"] as const;
export type ServerState = (typeof serverStates)[number];

export const agentStarted = defineEvent({
  type: "agent.started",
  version: 1,
  description: "The program of an agent is running and has said what it works with.",
  payload: z.strictObject({
    session: sessionId,
    /** As the configuration names it. */
    agent: name,
    model: line.optional(),
    program_version: line.optional(),
    /** The agent's own id of its conversation. */
    conversation: conversation.optional(),
    server: z.enum(serverStates),
  }),
  stream: agentStream,
  timeline: ({ agent, model, server }) =>
    `Agent ${agent}${model ? ` (${model})` : ""} runs; its tools are ${server}.`,
  example: {
    session: "s-1",
    agent: "claude",
    model: "claude-sonnet-4-5",
    program_version: "2.1.329",
    conversation: "2756e05d-5701-47e2-b2e0-bad278b2e296",
    server: "connected",
  },
});

export const agentProgressed = defineEvent({
  type: "agent.progressed",
  version: 1,
  description: "What a running agent has used so far, told now and then.",
  payload: z.strictObject({ session: sessionId, ...usage }),
  stream: agentStream,
  timeline: ({ turns, output_tokens }) => `So far ${turns ?? "?"} turns, ${output_tokens ?? "?"} tokens out.`,
  example: { session: "s-1", turns: 12, input_tokens: 182_000, output_tokens: 6_100 },
});

export const agentEnded = defineEvent({
  type: "agent.ended",
  version: 1,
  description: "The program of an agent is gone: how, what it said last, and what it has used.",
  payload: z.strictObject({
    session: sessionId,
    /** Absent where a signal ended it, or it could not be started. */
    exit_code: z.int().min(0).max(255).optional(),
    signal: line.optional(),
    /** The `subtype` of its result line, such as `success` or `error_max_turns`. */
    result: line.optional(),
    is_error: z.boolean().optional(),
    /** Tools of ours that it was not allowed to use. */
    denied_tools: z.array(line).max(100).optional(),
    /** The last of what it printed as an error, shortened. */
    stderr: longText.optional(),
    ...usage,
  }),
  stream: agentStream,
  timeline: ({ exit_code, signal, result, cost_usd }) =>
    `Agent ended ${signal ? `by ${signal}` : `with ${exit_code ?? "no exit code"}`}${result ? `, ${result}` : ""}${
      cost_usd === undefined ? "" : `, $${cost_usd.toFixed(2)}`
    }.`,
  example: {
    session: "s-1",
    exit_code: 0,
    result: "success",
    is_error: false,
    turns: 31,
    input_tokens: 410_000,
    output_tokens: 14_200,
    cost_usd: 0.61,
  },
});
