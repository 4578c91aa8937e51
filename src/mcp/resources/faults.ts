import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { fixedResources } from "./fixed.ts";
import { resourceKinds, templateOf } from "./kinds.ts";
import { splitUri } from "./uri.ts";

/** MCP, Resources, Error Handling. */
const RESOURCE_NOT_FOUND = -32_002;

/** The fault of a URI without a resource, and where to look. */
export function notFound(uri: string): McpError {
  const named = splitUri(uri);
  const kind = resourceKinds.find(({ name }) => name === named?.kind);
  const message =
    kind && named
      ? `There is no ${kind.noun} ${quoted(named.key)}. Call resources/list to see all resources, or ` +
        `completion/complete to find one by the beginning of its ${kind.variable}.`
      : `There is no resource ${quoted(uri)}. URIs have the forms ${knownForms()}, with ids and names ` +
        "percent-encoded; resources/list lists all resources.";
  return new McpError(RESOURCE_NOT_FOUND, message, { uri });
}

/** A request with invalid parameters. */
export function wrongParams(method: string, problem: string): McpError {
  return new McpError(ErrorCode.InvalidParams, `${method}: ${problem}`);
}

/** A cursor that we did not make. */
export function wrongCursor(method: string, cursor: string): McpError {
  const advice = "start again without a cursor, and send `nextCursor` back unchanged";
  return wrongParams(method, `the cursor ${quoted(cursor)} does not come from this server; ${advice}.`);
}

/** A value as messages quote it, shortened. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

function knownForms(): string {
  return [...fixedResources.map(({ name }) => `ralph://${name}`), ...resourceKinds.map(templateOf)].join(
    ", ",
  );
}
