import { expect, test } from "vitest";
import { endpointOf } from "../../adapters/telemetry/endpoint.ts";
import { TelemetryError } from "../../adapters/telemetry/telemetry-error.ts";

const configured = (endpoint?: string) => ({ metrics: { otlp: endpoint === undefined ? {} : { endpoint } } });
const url = (endpoint: string | undefined, variables: NodeJS.ProcessEnv = {}) =>
  endpointOf(configured(endpoint), variables)?.url;

test("the configured endpoint overrides that of the environment; without either there is none", () => {
  expect(url(undefined)).toBeUndefined();
  expect(url("http://one:4318")).toBe("http://one:4318/v1/traces");
  expect(url("http://one:4318/otlp/", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://two" })).toBe(
    "http://one:4318/otlp/v1/traces",
  );
  expect(url("https://one/v1/traces")).toBe("https://one/v1/traces");
  expect(url(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://two:4318/" })).toBe(
    "http://two:4318/v1/traces",
  );
  expect(url(undefined, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://two/all" })).toBe("http://two/all");
  expect(url(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toBeUndefined();
});

test("an environment that is meant for gRPC, or switches telemetry off, is no endpoint", () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://two:4317";
  expect(
    url(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
  ).toBeUndefined();
  expect(url("http://one", { OTEL_SDK_DISABLED: "true" })).toBeUndefined();
});

test("headers of the environment go to the environment's endpoint alone", () => {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://two",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b, x-team = blue,broken,bad=%0d%0ax",
  };
  expect(endpointOf(configured(), variables)?.headers).toEqual({ "api-key": "a b", "x-team": "blue" });
  expect(endpointOf(configured("http://one"), variables)?.headers).toEqual({});
});

test.each(["localhost:4318", "ftp://two", "http://me:pass@two"])(
  "%s in the environment cannot be used, and is not repeated",
  (value) => {
    const look = () => endpointOf(configured(), { OTEL_EXPORTER_OTLP_ENDPOINT: value });
    expect(look).toThrow(TelemetryError);
    expect(look).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT is invalid: it must be a URL(?!.*pass@)/);
  },
);
