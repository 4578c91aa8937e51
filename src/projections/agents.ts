import { toSqlTime } from "../events/time.ts";
import { modelProblems, serverStates } from "../events/types/agents.ts";
import type { Event } from "../events/types/index.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, flag, integer, json, means, nullable, oneOf, text } from "./table.ts";

export const agentsTable = defineTable("agents", {
  description:
    "The program behind each session that a driver runs, as far as it told; what it told last counts, and what it did not tell is NULL, which is not 0.",
  columns: {
    session_id: text,
    agent: means(nullable(text), "its name in the configuration"),
    model: means(nullable(text), "as the program named it"),
    program_version: means(nullable(text), "as the program named it"),
    conversation: means(nullable(text), "the program's own id of its conversation"),
    server: means(
      oneOf(serverStates),
      "whether it could reach our tools; failed: it was tried; missing: it is not among its servers",
    ),
    turns: means(nullable(integer), "used so far"),
    input_tokens: means(nullable(integer), "used so far; those from a cache are input, too"),
    output_tokens: means(nullable(integer), "used so far"),
    cost_micro_usd: means(nullable(integer), "millionths of a US dollar"),
    exit_code: means(nullable(integer), "how the program ended, unless by a signal"),
    signal: means(nullable(text), "by which the program was ended"),
    result: means(nullable(text), "what its last line called the result, such as success or error_max_turns"),
    is_error: means(nullable(flag), "1 if it called that an error"),
    denied: means(json, "array of {tool, times}: the tools that its client did not let it use"),
    last_words: means(nullable(text), "what it said last"),
    problem: means(nullable(oneOf(modelProblems)), "why its model gave no answer at last"),
    problem_text: means(nullable(text), "the same in the words of its client"),
    resets_at: means(nullable(text), "when the model may be asked again, as the client told it"),
    stderr: means(nullable(text), "the last of what it printed as an error"),
    started_at: means(nullable(text), "NULL if it never said what it works with"),
    ended_at: nullable(text),
    ended_position: means(nullable(integer), "of the event by which that is known"),
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
