import { z } from "zod";
import { errorMessage, visible } from "./core.ts";
import type { OtlpEndpoint } from "./endpoint.ts";
import { exportRequest, type OtlpSpan } from "./otlp.ts";
import { TelemetryError } from "./telemetry-error.ts";

/**
 * Sends spans by OTLP/HTTP with JSON, once: a retry sends the same ids again.
 *
 * @throws TelemetryError `not_sent`: it could not be reached, took longer than `timeout_ms`, or did not take them all
 */
export async function sendSpans(
  { url, headers }: OtlpEndpoint,
  spans: readonly OtlpSpan[],
  timeout_ms: number,
): Promise<void> {
  const host = new URL(url).host;
  const signal = AbortSignal.timeout(timeout_ms);
  const { ok, status, type, text } = await post().catch((cause) => {
    const why = signal.aborted ? `did not answer within ${timeout_ms / 1_000} seconds` : reasonOf(cause);
    throw new TelemetryError("not_sent", `${host} ${why}.`, { cause });
  });
  if (!ok) {
    const words = text.trim() === "" ? "" : `: ${visible(text.trim()).slice(0, 200)}`;
    throw new TelemetryError("not_sent", `${host} refused the traces with status ${status}${words}.`);
  }
  if (text.trim() !== "" && type !== null && !/json|protobuf/i.test(type)) {
    const kind = visible(type).slice(0, 100);
    throw new TelemetryError(
      "not_sent",
      `${host} answered with ${kind}, so it is not an OTLP endpoint. Check the path.`,
    );
  }
  const { rejectedSpans, errorMessage } = partialSuccess(text);
  if (rejectedSpans > 0) {
    const why = visible(errorMessage).slice(0, 200);
    throw new TelemetryError("not_sent", `${host} rejected ${rejectedSpans} spans: ${why}.`);
  }

  async function post() {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(exportRequest(spans)),
      // Where it leads is not where one wanted to send, nor its headers.
      redirect: "manual",
      signal,
    });
    const type = response.headers.get("content-type");
    return { ok: response.ok, status: response.status, type, text: await beginningOf(response) };
  }
}

/** An answer is short; of one that is not, the rest is not waited for. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= ANSWER_LIMIT) break;
  }
  return text;
}

const ANSWER_LIMIT = 64 * 1_024;

/** An answer that is no JSON is that of a server which knows no partial success. */
function partialSuccess(text: string) {
  try {
    const answer = exportAnswer.safeParse(JSON.parse(text));
    if (answer.success) return answer.data.partialSuccess;
  } catch {
    // No JSON.
  }
  return { rejectedSpans: 0, errorMessage: "" };
}

const exportAnswer = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.coerce.number().default(0), errorMessage: z.string().default("") })
    .prefault({}),
});

/** What the system says is behind fetch's own words, which say nothing. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  const words = code ?? errorMessage(cause);
  return `cannot be reached: ${visible(words).slice(0, 200)}`;
}
