import { z } from "zod";
import {
  type Event,
  eventDefinitions,
  type LogFilter,
  matching,
  noSuchType,
  readLog,
  readPositions,
  subjectPositions,
  subjectsIn,
  typesNamed,
} from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { linesOf } from "./log.ts";
import { wholeNumber } from "./query.ts";

/** The filter as query parameters. */
export const logFilterQuery = {
  task: wholeNumber(1).optional(),
  session: z.string().max(200).optional(),
  /** Types and families, separated by commas. */
  type: z
    .string()
    .refine((names) => unknownIn(names) === undefined, {
      error: ({ input }) => `is unknown: ${noSuchType(unknownIn(String(input)) ?? "")}`,
    })
    .optional(),
  actor: z.string().max(200).optional(),
  text: z.string().max(200).optional(),
};

export function wantedOf({ type, ...filter }: LogFilter & { readonly type?: string | undefined }): LogFilter {
  const types = type?.split(",").flatMap((name) => [...(typesNamed(name) ?? [])]);
  return { ...filter, types: types && new Set(types) };
}

/** The first name that is neither a type nor a family. */
function unknownIn(names: string): string | undefined {
  return names.split(",").find((name) => typesNamed(name) === undefined);
}

/**
 * The events that match a filter: the newest first, from a position down, or the oldest first, after a
 * position. One query scans a limited number of events; `next` is the `from` or the `after` to continue
 * with, null at the end.
 */
export const logFindAnswer = defineAnswer({
  name: "log_find",
  query: z.strictObject({
    /** The last position. */
    from: wholeNumber(0),
    after: wholeNumber(0).optional(),
    order: z.enum(["newest_first", "oldest_first"]).default("newest_first"),
    limit: wholeNumber(1, 500),
    ...logFilterQuery,
  }),
  answer: async ({ log, readModel }, { from, after = 0, order, limit, ...filter }) => {
    const isWanted = matching(wantedOf(filter), subjectsIn(readModel));
    const positions = await subjectPositions(log, readModel, filter, { from: after + 1, to: from });
    const isNewest = order === "newest_first";
    const scanned = isNewest ? positions?.slice(-SCAN_LIMIT) : positions?.slice(0, SCAN_LIMIT);
    const isCut = scanned ? scanned.length < (positions?.length ?? 0) : from - after > SCAN_LIMIT;
    const lowest = !isCut || !isNewest ? after + 1 : (scanned?.[0] ?? from - SCAN_LIMIT + 1);
    const highest = !isCut || isNewest ? from : (scanned?.at(-1) ?? after + SCAN_LIMIT);
    const pages = scanned
      ? readPositions(log, scanned, order)
      : readLog(log, { from: lowest, to: highest }, order);
    const found: Event[] = [];
    for await (const events of pages) {
      found.push(...events.filter(isWanted));
      if (found.length >= limit) break;
    }
    const shown = found.slice(0, limit);
    const last = found.length >= limit ? shown.at(-1)?.position : undefined;
    const next = isNewest ? (last ?? lowest) - 1 : (last ?? highest);
    const isMore = isNewest ? next > after : next < from;
    return { lines: await linesOf(shown, readModel, log), next: isMore ? next : null };
  },
});

/** The known event types. */
export const eventTypesAnswer = defineAnswer({
  name: "event_types",
  query: z.strictObject({}),
  answer: () => eventDefinitions.map(({ type }) => type),
});

/** Events per query; takes about a twentieth of a second, in which nobody else is answered. */
const SCAN_LIMIT = 5_000;
