/** The requests of a client about resources, by their names in MCP. */
export const RESOURCE_METHODS = [
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "completion/complete",
] as const;
export type ResourceMethod = (typeof RESOURCE_METHODS)[number];
