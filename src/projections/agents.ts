import { toSqlTime } from "../events/time.ts";
import { serverStates } from "../events/types/agents.ts";
import type { Event } from "../events/types/index.ts";
import { defineProjection, type RowsOf } from "./projection.ts";
import { defineTable, flag, integer, json, nullable, oneOf, text } from "./table.ts";

/** The program behind each session that a driver runs: what it works with, what it has used, how it ended. */
const agentsTable = defineTable("agents", {
  columns: {
    session_id: text,
    agent: nullable(text),
    model: nullable(text),
    program_version: nullable(text),
    conversation: nullable(text),
    server: oneOf(serverStates),
    turns: nullable(integer),
    input_tokens: nullable(integer),
    output_tokens: nullable(integer),
    /** Millionths of a US dollar; null is unknown, which is not 0. */
    cost_micro_usd: nullable(integer),
    exit_code: nullable(integer),
    signal: nullable(text),
    result: nullable(text),
    is_error: nullable(flag),
    /** JSON array of names. */
    denied_tools: json,
    stderr: nullable(text),
    started_at: nullable(text),
    ended_at: nullable(text),
  },
  key: ["session_id"],
  indexes: { by_conversation: ["conversation"], by_end: ["ended_at"] },
});

const tables = { agents: agentsTable };

export const agents = defineProjection({
  name: "agents",
  version: 1,
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
    "agent.ended": ({ payload, recordedAt }, rows) => {
      agentOf(rows, payload.session);
      rows.agents.update(payload.session, {
        ...usageOf(payload),
        exit_code: payload.exit_code,
        signal: payload.signal,
        result: payload.result,
        is_error: payload.is_error === undefined ? undefined : payload.is_error ? 1 : 0,
        denied_tools: payload.denied_tools && JSON.stringify(payload.denied_tools),
        stderr: payload.stderr,
        ended_at: toSqlTime(recordedAt),
      });
    },
  },
});

/** One program a session: what a later one tells replaces what an earlier one told. */
function agentOf(rows: RowsOf<typeof tables>, session: string): void {
  if (!rows.agents.get(session))
    rows.agents.insert({ session_id: session, server: "unknown", denied_tools: "[]" });
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
