import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { z } from "zod";

const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  // 64-bit integers are decimal text in proto3's JSON.
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value: anyValue }));
const nanoseconds = z.string().regex(/^\d{19}$/);
const spanId = z.string().regex(/^(?!0+$)[0-9a-f]{16}$/);
const span = z.strictObject({
  traceId: z.string().regex(/^(?!0+$)[0-9a-f]{32}$/),
  spanId,
  parentSpanId: spanId.optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: nanoseconds, name: z.string().min(1), attributes })),
  droppedEventsCount: z.int().min(0),
  status: z.strictObject({ code: z.int().min(0).max(2) }),
});
export type ReceivedSpan = z.infer<typeof span>;

/** ExportTraceServiceRequest as opentelemetry-proto's trace.proto has it, of which no field has another name or type. */
export const exportRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

export interface Collector {
  readonly url: string;
  /** What came in, in order. */
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: unknown;
  }[];
  spans(): ReceivedSpan[];
}

/** A server that takes traces and answers as `answer` says, until the present test is finished. */
export async function givenCollector(
  answer: (response: ServerResponse) => void = (response) => response.end("{}"),
): Promise<Collector> {
  const requests: Collector["requests"] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    spans: () =>
      requests.flatMap(({ body }) =>
        exportRequest
          .parse(body)
          .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
  };
}

/** What an attribute says; undefined where it is not there. */
export function attribute({ attributes: all }: { attributes: ReceivedSpan["attributes"] }, key: string) {
  const found = all.find((one) => one.key === key);
  return found && Object.values(found.value)[0];
}
