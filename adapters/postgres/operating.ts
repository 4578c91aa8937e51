/* The log on PostgreSQL, and what operators do with its servers; loaded by `operating` of src/events/open-log.ts, since it needs `pg`. */
export { createPostgresLog } from "./create-log.ts";
export { endPostgresLog } from "./end.ts";
export {
  lookAtServers,
  type ServerFacts,
  type ServerFault,
  type ServerSurvey,
  serverFaults,
  surveyServers,
} from "./facts.ts";
export { raiseLevel } from "./level.ts";
export { openPostgresLog, type PostgresOptions } from "./postgres-log.ts";
export { promoteStandby } from "./promote.ts";
export { hostGrants, rolesOf } from "./schema.ts";
export { parsePostgresUrl } from "./url.ts";
