import { INVALID_PARAMS, RESOURCE_NOT_FOUND, RequestError } from "../request-error.ts";
import { fixedResources } from "./fixed.ts";
import { resourceKinds, templateOf } from "./kinds.ts";
import { splitUri } from "./uri.ts";

/** The fault of a URI without a resource, and where to look. */
export function notFound(uri: string): RequestError {
  const named = splitUri(uri);
  const kind = resourceKinds.find(({ name }) => name === named?.kind);
  const message =
    kind && named
      ? `There is no ${kind.noun} ${quoted(named.key)}. Call resources/list to see all resources, or ` +
        `completion/complete to find one by the beginning of its ${kind.variable}.`
      : `There is no resource ${quoted(uri)}. URIs have the forms ${knownForms()}, with ids and names ` +
        "percent-encoded; resources/list lists all resources.";
  return new RequestError(RESOURCE_NOT_FOUND, message, { uri });
}

export function isNotFound(error: unknown): boolean {
  return error instanceof RequestError && error.code === RESOURCE_NOT_FOUND;
}

/** A request with invalid parameters. */
export function wrongParams(method: string, problem: string): RequestError {
  return new RequestError(INVALID_PARAMS, `${method}: ${problem}`);
}

/** A cursor that we did not make. */
export function wrongCursor(method: string, cursor: string): RequestError {
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
