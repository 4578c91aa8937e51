/**
 * Events and tables of one's own, kept beside ours and up to date like ours: given to `openProject(folder, { projections })`.
 *
 * @module signalbox/projections
 */
import type { z } from "zod";
import { defineEvent as define, type EventDefinition, type StoredEvent } from "../events/event.ts";
import type { Event, EventType } from "../events/types/index.ts";
import { isOwnType, type OwnEvent } from "../events/types/own.ts";
import type { Projection, RowsOf, TableSet } from "../projections/projection.ts";

export {
  type Column,
  defineTable,
  flag,
  integer,
  json,
  means,
  nullable,
  oneOf,
  type Row,
  type Table,
  text,
} from "../projections/table.ts";
export type { EventDefinition, Projection, RowsOf, StoredEvent, TableSet };

/**
 * Declares a type of event of one's own. Its name has an owner in front, `acme.deploy.finished`: no later version of signalbox has
 * such a name, and processes that do not know the type pass over it.
 *
 * @example
 * import { defineEvent } from "signalbox/projections";
 * import { z } from "zod";
 *
 * export const deployFinished = defineEvent({
 *   type: "acme.deploy.finished",
 *   version: 1,
 *   description: "A version was deployed.",
 *   payload: z.strictObject({ task: z.int(), target: z.string() }),
 *   stream: ({ target }) => `acme-deploys-${target}`,
 *   timeline: ({ target }) => `Deployed to ${target}`,
 *   example: { task: 7, target: "staging" },
 * });
 * console.log(deployFinished.type);
 *
 * @throws Error: the name has no owner in front; an upcaster from an earlier version to the next is missing
 */
export function defineEvent<const Type extends `${string}.${string}.${string}`, Payload extends z.ZodObject>(
  definition: EventDefinition<Type, Payload>,
): EventDefinition<Type, Payload> {
  if (!isOwnType(definition.type)) {
    throw new Error(
      `"${definition.type}" is not a valid name for an event of your own. Use lower-case words with ` +
        'an owner in front: "acme.deploy.finished".',
    );
  }
  return define(definition);
}

/**
 * The payload of an event of a type of one's own; undefined for any other event.
 *
 * @throws LogError `upcast_failed`: an upcaster threw, or returned what the schema refuses
 */
export function payloadOf<Type extends string, Payload extends z.ZodObject>(
  { type }: EventDefinition<Type, Payload>,
  event: StoredEvent,
): z.infer<Payload> | undefined {
  // An event of this type was checked by its definition when it was appended, and brought up from there.
  return event.type === type ? (event.payload as z.infer<Payload>) : undefined;
}

/**
 * Declares tables of one's own, and what events do to them, ours and one's own. A reducer sees the event and the rows of its own
 * tables, and nothing else. Raise `version` with every change of a reducer or a table: the tables are then made anew from the log.
 * One that throws stops its projection alone: a question to its tables is refused with the error until the projection runs again, after a
 * raised version or `signalbox rebuild`.
 *
 * The tables lie in `ralph.db` for everybody who reads it, and are as new as the last question of a program that has opened the project
 * with this projection: no other program, the server of signalbox included, advances them. Where another program redacts an event, it
 * removes them, as it cannot tell which rows have the text; they are made anew when they are asked for.
 *
 * @example
 * import { defineProjection, defineTable, integer, text } from "signalbox/projections";
 *
 * const ended = defineTable("acme_ended", { columns: { session: text, position: integer }, key: ["session"] });
 * export const endings = defineProjection({
 *   name: "acme_endings",
 *   version: 1,
 *   tables: { ended },
 *   on: {
 *     "session.ended": ({ position, payload }, rows) => rows.ended.insert({ session: payload.session, position }),
 *   },
 * });
 * console.log(endings.name);
 */
export function defineProjection<
  const Tables extends TableSet,
  const Own extends readonly OwnEvent[] = readonly [],
>(definition: OwnProjection<Tables, Own>): Projection<Tables> {
  // Inside a read model a projection is only ever given events of the types that it names, and rows of its own tables.
  return Object.freeze(definition) as unknown as Projection<Tables>;
}

/** What `defineProjection` takes. */
export interface OwnProjection<Tables extends TableSet, Own extends readonly OwnEvent[]> {
  readonly name: string;
  readonly version: number;
  readonly tables: Tables;
  /** Tables that earlier versions had: they are removed. */
  readonly former?: readonly string[];
  /** The definitions of the own events that it reduces. */
  readonly events?: Own;
  readonly on: {
    readonly [Type in EventType]?: (event: Event<Type>, rows: RowsOf<Tables>) => void;
  } & {
    readonly [Type in Own[number]["type"]]?: (
      event: StoredEvent<Type, z.infer<Extract<Own[number], { type: Type }>["payload"]>>,
      rows: RowsOf<Tables>,
    ) => void;
  };
}
