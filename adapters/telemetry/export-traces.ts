import type { Project } from "./core.ts";
import type { OtlpEndpoint } from "./endpoint.ts";
import type { OtlpSpan } from "./otlp.ts";
import { sendSpans } from "./send.ts";
import { spansOf } from "./session-spans.ts";

/** How many sessions go into one request. */
const BATCH = 50;
const TIMEOUT_MS = 10_000;

/**
 * Sends the traces of all sessions that have ended, in the order of their ends.
 *
 * @param since a time of the tables: only those that ended at or after it
 * @returns how many sessions and spans were sent
 * @throws TelemetryError `not_sent`: those before it were sent; to send them again does no harm
 */
export async function exportTraces(
  project: Project,
  endpoint: OtlpEndpoint,
  since: string | undefined,
): Promise<{ readonly sessions: number; readonly spans: number }> {
  const ended = await project.queries.endedSessions(since);
  let spans = 0;
  for (let from = 0; from < ended.length; from += BATCH) {
    const batch: OtlpSpan[] = [];
    for (const session of ended.slice(from, from + BATCH))
      batch.push(...(await spansOfSession(project, session)));
    await sendSpans(endpoint, batch, TIMEOUT_MS);
    spans += batch.length;
  }
  return { sessions: ended.length, spans };
}

/** The spans of a session; none while it is open. */
export async function spansOfSession(project: Project, session: string): Promise<OtlpSpan[]> {
  const trace = await project.queries.sessionTrace(session);
  const [first] = await project.log.read(0, 1);
  return trace && first ? spansOf(trace, first.id) : [];
}
