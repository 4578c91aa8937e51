/**
 * Where the core names its adapters, the folders of `adapters/`, each loaded when it is wanted; agents' clients alone stand in a table of
 * their own, src/loop/agent/clients.ts. An adapter imports the core by the ports that its own core.ts lists. test/tidy/adapters.test.ts
 * holds both.
 */

export type {
  PostgresOptions,
  ServerFacts,
  ServerFault,
  ServerSurvey,
} from "../adapters/postgres/operating.ts";
export type { Sandbox, Sandboxes } from "../adapters/sandboxes/index.ts";
export type { OtlpEndpoint, TraceSender } from "../adapters/telemetry/index.ts";

/** Channels that tell people: webhook, ntfy, e-mail, desktop, Slack. */
export const loadChannels = () => import("../adapters/notices/index.ts");

/** Readers of other programs' data, by format. */
export const loadImports = () => import("../adapters/imports/index.ts");

/** The panel. */
export const loadPage = () => import("../adapters/page/server/serve.ts");

/** The log on PostgreSQL. It needs `pg`. */
export const loadPostgresLog = () => import("../adapters/postgres/postgres-log.ts");

/** What operators do with the servers of a log on PostgreSQL. */
export const loadPostgresOperating = () => import("../adapters/postgres/operating.ts");

/** Sandboxes of agents: bubblewrap, docker, podman. */
export const loadSandboxes = () => import("../adapters/sandboxes/index.ts");

/** Traces of sessions for OpenTelemetry. */
export const loadTelemetry = () => import("../adapters/telemetry/index.ts");

/** Issue trackers: GitHub and GitLab. */
export const loadTrackers = () => import("../adapters/trackers/index.ts");
