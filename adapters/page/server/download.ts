import { setImmediate as nextTurn } from "node:timers/promises";
import type { Context } from "hono";
import { z } from "zod";
import { logFilterQuery, wantedOf } from "./answers/log-find.ts";
import { wholeNumber } from "./answers/query.ts";
import {
  catchUp,
  describeIssues,
  inOurWords,
  matching,
  type Project,
  readFiltered,
  subjectsIn,
  visibleJson,
} from "./core.ts";
import { problem } from "./problem.ts";

/**
 * The matching events of a range, oldest first, as JSON lines in the format of `signalbox log --json`.
 * Each page of the log is read when the client has taken the one before.
 */
export async function downloadLog(context: Context, { log, store }: Project): Promise<Response> {
  const asked = query.safeParse(context.req.query(), inOurWords);
  if (!asked.success) return problem(context, 400, "bad_query", describeIssues(asked.error, "query"));
  const { from, to: last, ...filter } = asked.data;
  const to = Math.min(last ?? Number.MAX_SAFE_INTEGER, await log.head());
  await catchUp(store.readModel, log);
  const isWanted = matching(wantedOf(filter), subjectsIn(store.readModel));
  const pages = readFiltered(log, store.readModel, filter, { from, to });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const page = await pages.next();
      if (page.done) return controller.close();
      const lines = page.value.filter(isWanted).map((event) => `${visibleJson(event)}\n`);
      controller.enqueue(new TextEncoder().encode(lines.join("")));
      // Yield: pages without matches would otherwise follow one another without a pause.
      await nextTurn();
    },
  });
  return context.body(body, 200, {
    "Content-Type": "application/x-ndjson; charset=utf-8",
    "Content-Disposition": `attachment; filename="signalbox-log-${from}-${to}.jsonl"`,
  });
}

const query = z.strictObject({
  ...logFilterQuery,
  from: wholeNumber(1).default(1),
  to: wholeNumber(0).optional(),
});
