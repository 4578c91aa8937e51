import type { Config } from "./core.ts";
import { TelemetryError } from "./telemetry-error.ts";

/** Where traces go. */
export interface OtlpEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The endpoint of the configuration, or else of OpenTelemetry's own variables; undefined where there is none. Headers of the
 * environment, which may hold keys, go to the environment's endpoint alone: a project's file must not lead them elsewhere.
 *
 * @throws TelemetryError `no_endpoint`: a variable cannot be used
 */
export function endpointOf(
  { metrics }: Pick<Config, "metrics">,
  variables: NodeJS.ProcessEnv,
): OtlpEndpoint | undefined {
  if (variables.OTEL_SDK_DISABLED?.toLowerCase() === "true") return undefined;
  const configured = metrics.otlp.endpoint;
  if (configured !== undefined) return { url: tracesUrl(configured), headers: {} };
  const protocol = variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? variables.OTEL_EXPORTER_OTLP_PROTOCOL;
  // Meant for a program that speaks it, such as the agent.
  if (protocol === "grpc") return undefined;
  const whole = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  const headers = headersIn(
    variables.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? variables.OTEL_EXPORTER_OTLP_HEADERS ?? "",
  );
  if (whole) return { url: checked(whole, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), headers };
  if (base) return { url: tracesUrl(checked(base, "OTEL_EXPORTER_OTLP_ENDPOINT")), headers };
  return undefined;
}

/** `http://localhost:4318` stands for `http://localhost:4318/v1/traces`. */
function tracesUrl(base: string): string {
  const url = new URL(base);
  if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return url.href;
}

/** The value is not said: it may hold a password. */
function checked(value: string, variable: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new TelemetryError(
      "no_endpoint",
      `${variable} is invalid: it must be a URL such as http://localhost:4318, without a user name or password.`,
    );
  }
  return value;
}

/** `key=value,key=value`, values percent-encoded (OpenTelemetry, Specifying headers); what is none is left out. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair): [string, string][] => {
    const [, key = "", value = ""] = /^\s*([!#$%&'*+\-.^_`|~\w]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    const decoded = decode(value);
    return key === "" || /[^\t\x20-\x7e]/.test(decoded) ? [] : [[key, decoded]];
  });
  return Object.fromEntries(pairs);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
