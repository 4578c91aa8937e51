import type Database from "better-sqlite3";
import { type Config, findAgent } from "../../config/schema.ts";
import { deniedWords } from "../../events/types/denied-words.ts";
import { parseDenials } from "../../queries/denials.ts";
import { question, type RowOf } from "../../read-model/question.ts";
import { permissionsOf } from "../agent/clients.ts";
import { type Finding, warning } from "./check.ts";
import { allIn } from "./read-model.ts";

/**
 * How many recent sessions to check: after a change of the permissions, older denials soon drop
 * out.
 */
const LOOKED_AT = 10;

type EndedAgent = RowOf<typeof LAST>;

/** The agents that ended last, newest first. */
export function lastAgents(database: Database.Database): readonly EndedAgent[] {
  return allIn(database, LAST, {});
}

const LAST = question()((tables) =>
  tables
    .selectFrom("agents as a")
    .innerJoin("sessions as s", "s.id", "a.session_id")
    .select(({ fn, val }) => ["s.task_id as task", fn.coalesce("a.agent", val("")).as("agent"), "a.denied"])
    .where("a.ended_position", "is not", null)
    .orderBy("a.ended_position", "desc")
    .limit(LOOKED_AT),
);

/**
 * The tools denied in recent sessions, and the settings to allow them; nothing if none were denied.
 */
export function judgeDenials(sessions: readonly EndedAgent[], config: Config | undefined): Finding[] {
  const agents = new Map<string, EndedAgent[]>();
  for (const session of sessions)
    if (parseDenials(session.denied).length > 0)
      agents.set(session.agent, [...(agents.get(session.agent) ?? []), session]);
  return [...agents].map(([agent, denied]) => findingOf(agent, denied, sessions.length, config));
}

function findingOf(
  agent: string,
  sessions: readonly EndedAgent[],
  of: number,
  config: Config | undefined,
): Finding {
  const times = new Map<string, number>();
  for (const { denied } of sessions)
    for (const denial of parseDenials(denied))
      times.set(denial.tool, (times.get(denial.tool) ?? 0) + denial.times);
  const words = deniedWords([...times].map(([tool, times]) => ({ tool, times })));
  const tasks = [...new Set(sessions.flatMap(({ task }) => task ?? []))].sort((a, b) => a - b);
  const name = agent === "" ? "agent denied" : `agent ${agent} denied`;
  const found = `${words}, in ${sessions.length} of the last ${of} session${of === 1 ? "" : "s"} (task${tasks.length === 1 ? "" : "s"} ${tasks.join(", ")})`;
  return warning(name, found, mendFor(agent, config));
}

function mendFor(agent: string, config: Config | undefined): string {
  const program = config && findAgent(config, agent);
  const level = program && permissionsOf(program).permissions;
  const inClient = "allow it in the client's own settings";
  if (level === "full" || !level) return `If the agent may use it, ${inClient}.`;
  const next = level === "read" ? "edit" : "full";
  const isolated = next === "full" ? " in a container" : "";
  return `If the agent may use it, set "permissions": "${next}" of agents.${agent} in .ralph/config.json${isolated}, or ${inClient} (docs/clients.md#permissions).`;
}
