import { modelProblems, serverStates } from "../events/types/agents.ts";
import type { Event } from "../events/types/index.ts";
import { toSqlTime } from "../lib/time.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, text } from "./table.ts";

export const agentsTable = defineTable("agents", {
  description:
    "The agent's program behind each session that a driver runs, as it reported itself; the last " +
    "report counts. NULL means not reported, which is not 0.",
  columns: {
    session_id: text,
    agent: means(nullable(text), "its name in the configuration"),
    model: means(nullable(text), "as the program reported it"),
    program_version: means(nullable(text), "as the program reported it"),
    conversation: means(nullable(text), "the program's own id for its conversation"),
    server: means(
      oneOf(serverStates),
      "whether it could reach signalbox's tools; failed: it tried; missing: not among its servers",
    ),
    turns: means(nullable(integer), "used so far"),
    input_tokens: means(nullable(integer), "used so far; cached tokens count as input"),
    output_tokens: means(nullable(integer), "used so far"),
    cost_micro_usd: means(nullable(integer), "millionths of a US dollar"),
    exit_code: means(nullable(integer), "how the program ended; NULL if a signal ended it"),
    signal: means(nullable(text), "the signal that ended the program"),
    result: means(nullable(text), "the result named in its last line, such as success or error_max_turns"),
    is_error: means(nullable(flag), "1 if it reported that as an error"),
    denied: means(json, "array of {tool, times}: the tools that its client denied"),
    last_words: means(nullable(text), "its last words"),
    problem: means(nullable(oneOf(modelProblems)), "why its model gave no final answer"),
    problem_text: means(nullable(text), "the same in the client's words"),
    resets_at: means(nullable(text), "when the model can be asked again, according to the client"),
    stderr: means(nullable(text), "the end of its stderr"),
    started_at: means(nullable(text), "NULL if it never reported its setup"),
    ended_at: nullable(text),
    ended_position: means(nullable(integer), "of the event that reported it"),
  },
  key: ["session_id"],
  indexes: { by_conversation: ["conversation"], by_end: ["ended_at"] },
});

const tables = { agents: agentsTable };

export const agents = defineProjection({
  name: "agents",
  version: 2,
  tables,
  on: {
    "agent.started": (event, rows) => {
      const { session, agent, model, program_version, conversation, server } = event.payload;
      agentOf(rows, session);
      rows.agents.update(session, {
        agent,
        model,
        program_version,
        conversation,
        server,
        started_at: toSqlTime(event.recordedAt),
      });
    },
    "agent.progressed": ({ payload }, rows) => {
      agentOf(rows, payload.session);
      rows.agents.update(payload.session, usageOf(payload));
    },
    "agent.ended": ({ payload, recordedAt, position }, rows) => {
      agentOf(rows, payload.session);
      rows.agents.update(payload.session, {
        ...usageOf(payload),
        exit_code: payload.exit_code,
        signal: payload.signal,
        result: payload.result,
        is_error: payload.is_error === undefined ? undefined : payload.is_error ? 1 : 0,
        denied: payload.denied && JSON.stringify(payload.denied),
        last_words: payload.last_words,
        problem: payload.problem?.kind,
        problem_text: payload.problem?.text,
        resets_at: payload.problem?.resets_at && toSqlTime(payload.problem.resets_at),
        stderr: payload.stderr,
        ended_at: toSqlTime(recordedAt),
        ended_position: position,
      });
    },
  },
});

/** One program per session: a later report replaces an earlier one. */
function agentOf(rows: RowsOf<typeof tables>, session: string): void {
  if (!rows.agents.get(session)) rows.agents.insert({ session_id: session, server: "unknown", denied: "[]" });
}

function usageOf(payload: Event<"agent.progressed">["payload"]) {
  const { turns, input_tokens, output_tokens, cost_usd } = payload;
  return {
    turns,
    input_tokens,
    output_tokens,
    cost_micro_usd: cost_usd === undefined ? undefined : Math.round(cost_usd * 1_000_000),
  };
}
