/* What operators do with a log's servers; loaded by `operating` of open-log.ts, since it needs `pg`. */
export { createPostgresLog } from "./create-log.ts";
export { endPostgresLog } from "./end.ts";
export { lookAtServers, serverFaults, surveyServers } from "./facts.ts";
export { raiseLevel } from "./level.ts";
export { openPostgresLog } from "./postgres-log.ts";
export { promoteStandby } from "./promote.ts";
export { hostGrants, rolesOf } from "./schema.ts";
export { parsePostgresUrl } from "./url.ts";
