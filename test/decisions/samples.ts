import type { PayloadOf } from "../../src/events/types/index.ts";

/** All that a driver can have seen of an agent's start. */
export function agentStart(session: string): PayloadOf<"agent.started"> {
  return {
    session,
    agent: "claude",
    model: "large",
    program_version: "2.1",
    conversation: "c-1",
    server: "connected",
  };
}

/** All that a driver can have seen of an agent's end. */
export function agentEnd(session: string): PayloadOf<"agent.ended"> {
  return {
    session,
    exit_code: 1,
    signal: "SIGTERM",
    result: "success",
    is_error: false,
    denied: [{ tool: "Bash", times: 3 }],
    last_words: "I may not run it.",
    problem: { kind: "limit", text: "The limit is reached.", resets_at: "2026-11-22T18:00:00.000Z" },
    stderr: "Oh.",
    turns: 3,
    input_tokens: 20,
    output_tokens: 10,
    cost_usd: 0.5,
  };
}
