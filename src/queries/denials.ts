import { parseColumn } from "../projections/parse-column.ts";
import { question, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";

/** A tool that the client of an agent did not let it use, and how often. */
export interface Denial {
  readonly tool: string;
  readonly times: number;
}

/** What was denied in the sessions of each list, added up. */
export function denialsOfEach(readModel: ReadView, lists: readonly (readonly string[])[]): Denial[][] {
  const rows = readModel.all(DENIED, { sessions: JSON.stringify([...new Set(lists.flat())]) });
  const denied = new Map(rows.map(({ id, denied }) => [id, parseDenials(denied)]));
  return lists.map((sessions) => addUp(sessions.flatMap((session) => denied.get(session) ?? [])));
}

const DENIED = question<{ sessions: string }>()((tables, given) =>
  tables
    .selectFrom("agents")
    .select(["session_id as id", "denied"])
    .where("session_id", "in", valuesIn<string>(given("sessions")))
    .where("denied", "<>", "[]"),
);

function addUp(denials: readonly Denial[]): Denial[] {
  const sums = new Map<string, number>();
  for (const { tool, times } of denials) sums.set(tool, (sums.get(tool) ?? 0) + times);
  return [...sums].map(([tool, times]) => ({ tool, times }));
}

/** The column `denied` of the table `agents`. */
export function parseDenials(denied = "[]"): Denial[] {
  return parseColumn(denied);
}
