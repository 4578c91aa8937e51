import { z } from "zod";
import { defineEvent } from "../event.ts";
import { deniedWords } from "./denied-words.ts";
import { line, longText, name, sessionId, sessionStream } from "./fields.ts";
import { structural } from "./structure.ts";

/*
 * Facts that a driver observes about an agent's process. The agent's own reports are signals; these
 * facts settle nothing.
 */

/** Groups the costs of an agent's sessions. */
const conversation = structural(line);

/** What an agent's program used; a number that it did not report is absent, never 0. */
const usage = {
  turns: z.int().min(0).optional(),
  /** All input tokens, including cached ones. */
  input_tokens: z.int().min(0).optional(),
  output_tokens: z.int().min(0).optional(),
  /** Of this session only, in US dollars. */
  cost_usd: z.number().min(0).max(1_000_000).optional(),
};

/**
 * Whether the agent could reach our server: `failed`: it tried; `missing`: the server is not in its
 * list.
 */
export const serverStates = ["connected", "failed", "missing", "unknown"] as const;
export type ServerState = (typeof serverStates)[number];

/**
 * Why a model gave no answer: not logged in, unknown model, usage limit reached, unreachable or
 * overloaded, or another reason.
 */
export const modelProblems = ["no_login", "unknown_model", "limit", "outage", "other"] as const;
export type ModelProblem = (typeof modelProblems)[number];

/** The most denied tools kept by name. */
export const DENIED_LIMIT = 100;

export const agentStarted = defineEvent({
  type: "agent.started",
  version: 1,
  description: "The agent's program is running and has reported what it works with.",
  payload: z.strictObject({
    session: sessionId,
    /** The agent's name in the configuration. */
    agent: name,
    model: line.optional(),
    program_version: line.optional(),
    /** The agent's own id of its conversation. */
    conversation: conversation.optional(),
    server: z.enum(serverStates),
  }),
  stream: sessionStream,
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

const agentProgressed = defineEvent({
  type: "agent.progressed",
  version: 1,
  description: "Usage of a running agent so far, reported periodically.",
  payload: z.strictObject({ session: sessionId, ...usage }),
  stream: sessionStream,
  timeline: ({ turns, output_tokens }) => `So far ${turns ?? "?"} turns, ${output_tokens ?? "?"} tokens out.`,
  example: { session: "s-1", turns: 12, input_tokens: 182_000, output_tokens: 6_100 },
});

export const agentEnded = defineEvent({
  type: "agent.ended",
  version: 2,
  description: "The agent's program has ended: how, its last words, and its usage.",
  payload: z.strictObject({
    session: sessionId,
    /** Absent if a signal ended the process, or it never started. */
    exit_code: z.int().min(0).max(255).optional(),
    signal: line.optional(),
    /** The `subtype` of the client's result line, such as `success` or `error_max_turns`. */
    result: line.optional(),
    is_error: z.boolean().optional(),
    /** Tools that the client denied, with counts. */
    denied: z
      .array(z.strictObject({ tool: line, times: z.int().min(1) }))
      .max(DENIED_LIMIT)
      .optional(),
    /** The agent's last message, shortened. */
    last_words: longText.optional(),
    /** Why its model stopped answering. */
    problem: z
      .strictObject({
        kind: structural(z.enum(modelProblems)),
        text: longText,
        /** When to ask the model again, as reported by the client; ISO 8601. */
        resets_at: structural(z.iso.datetime()).optional(),
      })
      .optional(),
    /** The end of its stderr, shortened. */
    stderr: longText.optional(),
    ...usage,
  }),
  stream: sessionStream,
  timeline: ({ exit_code, signal, result, cost_usd, denied = [], last_words = "" }) =>
    `Agent ended ${signal ? `by ${signal}` : `with ${exit_code ?? "no exit code"}`}${result ? `, ${result}` : ""}${
      cost_usd === undefined ? "" : `, $${cost_usd.toFixed(2)}`
    }${denied.length === 0 ? "" : `; denied: ${deniedWords(denied)}`}.${last_words.trim() === "" ? "" : ` Its last words: ${last_words.trim().replace(/\s+/g, " ").slice(0, 200)}`}`,
  example: {
    session: "s-1",
    exit_code: 0,
    result: "success",
    is_error: false,
    turns: 31,
    input_tokens: 410_000,
    output_tokens: 14_200,
    cost_usd: 0.61,
    denied: [{ tool: "Bash", times: 3 }],
    last_words: "The tests pass.",
  },
  upcasters: {
    /** Version 1 listed only our own tools, each at most once. */
    1: ({ denied_tools, ...payload }) => ({
      ...payload,
      ...(Array.isArray(denied_tools) && { denied: denied_tools.map((tool) => ({ tool, times: 1 })) }),
    }),
  },
});

/** Every event of this family, in the order of docs/events.md. */
export const agentEvents = [agentStarted, agentProgressed, agentEnded] as const;
