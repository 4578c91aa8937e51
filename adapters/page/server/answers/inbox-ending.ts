import {
  boardTables,
  definitionOf,
  type Event,
  type EventLog,
  eventAt,
  gatesDeclaredAt,
  type InboxItem,
  type IndexedBoard,
  type ReadModel,
  shorten,
} from "../core.ts";

/** The event that ended an inbox item. */
export interface Ending {
  /** Such as `answered`; `decided` if no other word fits. */
  readonly word: string;
  readonly position: number;
  readonly actor: string;
  readonly time: string;
  /** The event's timeline text. */
  readonly text: string;
}

/** @returns null if there never was such an item, or if no event of its own ended it */
export async function findEnding(
  readModel: ReadModel,
  log: EventLog,
  { kind, id }: Pick<InboxItem, "kind" | "id">,
): Promise<Ending | null> {
  const rows = readModel.rowsOf(boardTables);
  const raised = await eventAt(log, id);
  const ended = raised && endOf(rows, kind, raised);
  if (ended == null || ended <= id) return null;
  const event = await eventAt(log, ended);
  if (!event) return null;
  const { position, actor, recordedAt: time, type, payload } = event;
  return {
    word: WORDS.find((word) => type.endsWith(`.${word}`)) ?? "decided",
    position,
    actor,
    time,
    text: shorten(definitionOf(type)?.timeline(payload) ?? type, 500),
  };
}

const WORDS = [
  "answered",
  "dismissed",
  "resolved",
  "acknowledged",
  "approved",
  "rejected",
  "accepted",
  "queued",
  "landed",
  "withdrawn",
];

/** The position of the event that ended an item. */
function endOf(
  rows: IndexedBoard,
  kind: InboxItem["kind"],
  { position: id, payload }: Event,
): number | null | undefined {
  const changeAfter = (task: number | null | undefined) =>
    task == null
      ? undefined
      : rows.statusChanges.where({ task_id: task }).find(({ position }) => position > id)?.position;
  switch (kind) {
    case "question":
      return rows.questions.get(id)?.acted_at;
    case "blocker":
      return rows.blockers.get(id)?.acted_at ?? changeAfter(rows.blockers.get(id)?.depends_on);
    case "contest":
      return changeAfter(rows.blockers.get(id)?.depends_on);
    case "plan": {
      const [plan] = rows.plans.where({ begun: id });
      const drafts = plan === undefined ? [] : rows.suggestions.where({ plan: plan.plan });
      return Math.max(0, ...drafts.map(({ acted_at }) => acted_at ?? 0));
    }
    case "proposal":
      return rows.suggestions.get(id)?.acted_at;
    case "gate_approval":
      return gatesDeclaredAt(rows, id).map(({ approval_position }) => approval_position)[0];
    case "gate":
      return "gate" in payload && "task" in payload && typeof payload.gate === "number"
        ? rows.gates.get(payload.task, payload.gate)?.last_position
        : undefined;
    case "merge":
      return "task" in payload && typeof payload.task === "number"
        ? rows.merges.get(payload.task)?.position
        : undefined;
    case "acceptance":
      return changeAfter(rows.statusChanges.where({ position: id })[0]?.task_id);
    case "setup":
      return "task" in payload && typeof payload.task === "number"
        ? rows.tasks.get(payload.task)?.last_start
        : undefined;
    case "stall":
    case "hold": {
      const task = rows.sessionTimes.where({ ended_position: id })[0]?.task_id;
      return changeAfter(task) ?? undefined;
    }
    case "flag": {
      const flag = rows.flags.get(id);
      return flag && (flag.acted_at ?? rows.tasks.get(flag.task_id)?.last_start);
    }
  }
}
