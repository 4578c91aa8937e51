/* What the core asks of telemetry, by src/adapters.ts. */
export { endpointOf, type OtlpEndpoint } from "./endpoint.ts";
export { exportTraces } from "./export-traces.ts";
export { TelemetryError } from "./telemetry-error.ts";
export { TraceSender } from "./trace-sender.ts";
