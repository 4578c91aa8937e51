import { z } from "zod";
import type { Event } from "../../../events/types/index.ts";
import { eventDefinitions } from "../../../events/types/index.ts";
import { type LogFilter, matching } from "../../../replay/log/filter.ts";
import { readLog, readPositions } from "../../../replay/log/read-log.ts";
import { subjectPositions } from "../../../replay/log/subject-events.ts";
import { subjectsIn } from "../../../replay/log/subjects.ts";
import { noSuchType, typesNamed } from "../../../replay/log/types-named.ts";
import { defineAnswer } from "./answer.ts";
import { linesOf } from "./log.ts";
import { wholeNumber } from "./query.ts";

/** The filter as query parameters. */
export const logFilterQuery = {
  task: wholeNumber(1).optional(),
  session: z.string().max(200).optional(),
  type: z
    .string()
    .refine((name) => typesNamed(name) !== undefined, {
      error: ({ input }) => `is unknown: ${noSuchType(String(input))}`,
    })
    .optional(),
  actor: z.string().max(200).optional(),
  text: z.string().max(200).optional(),
};

export function wantedOf({ type, ...filter }: LogFilter & { readonly type?: string | undefined }): LogFilter {
  return { ...filter, types: type === undefined ? undefined : typesNamed(type) };
}

/**
 * The events that match a filter, the newest first, from a position down. One query scans a limited
 * number of events; `next` is where to continue, null at the end.
 */
export const logFindAnswer = defineAnswer({
  name: "log_find",
  query: z.strictObject({
    from: wholeNumber(0),
    /** Where to end. */
    after: wholeNumber(0).optional(),
    limit: wholeNumber(1, 500),
    ...logFilterQuery,
  }),
  answer: async ({ log, readModel }, { from, after = 0, limit, ...filter }) => {
    const isWanted = matching(wantedOf(filter), subjectsIn(readModel));
    const positions = await subjectPositions(log, readModel, filter, { from: after + 1, to: from });
    const scanned = positions?.slice(-SCAN_LIMIT);
    const lowest = positions
      ? positions.length > SCAN_LIMIT
        ? (scanned?.[0] ?? 1)
        : after + 1
      : Math.max(after + 1, from - SCAN_LIMIT + 1);
    const pages = scanned
      ? readPositions(log, scanned, "newest_first")
      : readLog(log, { from: lowest, to: from }, "newest_first");
    const found: Event[] = [];
    for await (const events of pages) {
      found.push(...events.filter(isWanted));
      if (found.length >= limit) break;
    }
    const shown = found.slice(0, limit);
    const next = found.length >= limit ? (shown.at(-1)?.position ?? lowest) - 1 : lowest - 1;
    return { lines: await linesOf(shown, readModel, log), next: next > after ? next : null };
  },
});

/** The known event types. */
export const eventTypesAnswer = defineAnswer({
  name: "event_types",
  query: z.strictObject({}),
  answer: () => eventDefinitions.map(({ type }) => type),
});

/** Events per query; takes about a tenth of a second. */
const SCAN_LIMIT = 20_000;
