/** The ports of telemetry: what it takes from the core. */

export type { Project } from "../../src/api/project.ts";
export type { Config } from "../../src/config/config.ts";
export { errorMessage } from "../../src/lib/error-message.ts";
export { fromIsoTime, fromSqlTime, type Microseconds } from "../../src/lib/time.ts";
export { ToldError } from "../../src/lib/told-error.ts";
export { version } from "../../src/lib/version.ts";
export { visible } from "../../src/lib/visible.ts";
export type { SessionTrace } from "../../src/queries/session-trace.ts";
