import type { EventLog } from "../../events/log.ts";
import { definitionOf, type Event } from "../../events/types/index.ts";
import type { ReadModel } from "../../projections/read-model.ts";
import { subjectsIn } from "../log/subjects.ts";

/** An event, as far as it explains something: what it says, who wrote it, when, in which session. */
export interface Fact {
  readonly position: number;
  readonly type: Event["type"];
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly actor: string;
  readonly task: number | null;
  readonly session: string | null;
  /** What a timeline shows of it: markdown, possibly an agent's words. */
  readonly text: string;
}

/** Looks events up by their positions; each is read once. */
export interface Facts {
  /** The events at these positions, ascending, each once. */
  at(positions: readonly (number | null)[]): Promise<readonly Fact[]>;
  of(event: Event): Fact;
}

/** @param readModel tells which task a session works on */
export function factsIn(readModel: ReadModel, log: EventLog): Facts {
  const subjectOf = subjectsIn(readModel);
  const known = new Map<number, Fact>();
  const of = (event: Event): Fact => {
    const { position, type, recordedAt, actor, payload } = event;
    const { task, session, taskOfSession } = subjectOf(event);
    const text = definitionOf(type)?.timeline(payload) ?? "";
    return {
      position,
      type,
      time: recordedAt,
      actor,
      task: task ?? taskOfSession ?? null,
      session: session ?? null,
      text,
    };
  };
  return {
    of,
    async at(positions) {
      const wanted = [...new Set(positions)].filter((position) => position !== null).sort((a, b) => a - b);
      const facts: Fact[] = [];
      for (const position of wanted) {
        const fact = known.get(position) ?? (await read(position));
        if (fact) facts.push(fact);
      }
      return facts;
    },
  };

  async function read(position: number): Promise<Fact | undefined> {
    const [event] = await log.read(position - 1, 1);
    const fact = event && of(event);
    if (fact) known.set(position, fact);
    return fact;
  }
}

/** All events of a task's own stream up to a position: what was decided about it, its gates' runs, comments. */
export async function eventsOfTask(log: EventLog, task: number, upTo: number): Promise<readonly Event[]> {
  const found: Event[] = [];
  for (let version = 0; ; ) {
    const events = await log.readStream(`task-${task}`, version, PAGE);
    const before = events.filter(({ position }) => position <= upTo);
    for (const event of before) found.push(event);
    if (events.length < PAGE || before.length < events.length) return found;
    version += events.length;
  }
}

const PAGE = 1_000;
