import { type Microseconds, version } from "./core.ts";

/*
 * What we use of OpenTelemetry's protocol: ExportTraceServiceRequest in its JSON form (OTLP 1.x, "JSON Protobuf Encoding"): ids
 * as hex, 64-bit integers as decimal text, enumerations as numbers, names in lowerCamelCase.
 */

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: typeof INTERNAL;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly OtlpEvent[];
  readonly droppedEventsCount: number;
  readonly status: { readonly code: number };
}

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean };
}

/** SpanKind: neither a server's nor a client's. */
export const INTERNAL = 1;
export const STATUS = { unset: 0, ok: 1, error: 2 } as const;

/** The body of a request with these spans. */
export function exportRequest(spans: readonly OtlpSpan[]) {
  const resource = { attributes: attributes({ "service.name": "signalbox", "service.version": version }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "signalbox", version }, spans }] }] };
}

/** What is null or undefined is not known, and left out. A number that is not whole is a double. */
export function attributes(
  values: Readonly<Record<string, string | number | boolean | null | undefined>>,
): OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]): OtlpAttribute[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    if (typeof value === "boolean") return [{ key, value: { boolValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

/** Nanoseconds since 1970, as text: they are too many for a JSON number. */
export function nanoseconds(time: Microseconds): string {
  return `${BigInt(time) * 1_000n}`;
}
