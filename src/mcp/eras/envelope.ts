import { z } from "zod";
import { checkRequest } from "../check-request.ts";
import { isObject } from "../json-rpc.ts";
import { RequestError } from "../request-error.ts";
import { SERVED_VERSIONS } from "./identity.ts";

/** The keys of `_meta` that MCP 2026-07-28 reserves. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_KEY = "io.modelcontextprotocol/serverInfo";
export const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";
const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";

const STATELESS_VERSIONS: readonly string[] = [SERVED_VERSIONS[0]];
export const UNSUPPORTED_VERSION = -32_022;

/** Requests that no other era has: one that does not name its version is told so. */
export const ONLY_STATELESS: ReadonlySet<string> = new Set(["server/discover", "subscriptions/listen"]);

/** True for a version in which each request says all about itself. */
export function isStatelessVersion(version: string | null): boolean {
  return version !== null && STATELESS_VERSIONS.includes(version);
}

/** True for a request that says itself in which version of MCP it is. */
export function namesVersion({ params }: { readonly params?: unknown }): boolean {
  return Object.hasOwn(metaOf(params), VERSION_KEY);
}

/** The version that a request's parameters name. */
export function versionNamed(params: unknown): string | undefined {
  const version = metaOf(params)[VERSION_KEY];
  return typeof version === "string" ? version : undefined;
}

function metaOf(params: unknown): Readonly<Record<string, unknown>> {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta : {};
}

/** What a request says about its client. */
export type Envelope = z.output<typeof envelope>["params"]["_meta"];

/**
 * Checks what every request of this era must say.
 *
 * @throws RequestError -32602, naming what is missing; -32022, with the versions that are served
 */
export function readEnvelope(method: string, params: unknown): Envelope {
  const requested = checkRequest(method, named, { params }).params._meta[VERSION_KEY];
  if (!STATELESS_VERSIONS.includes(requested)) {
    throw new RequestError(
      UNSUPPORTED_VERSION,
      `This server does not serve MCP ${JSON.stringify(requested.slice(0, 100))}; it serves ${SERVED_VERSIONS.join(", ")}.`,
      { supported: SERVED_VERSIONS, requested },
    );
  }
  return checkRequest(method, envelope, { params }).params._meta;
}

/** True if the client of a request shows forms. Without a mode, forms are meant (MCP, Elicitation). */
export function showsForms({ [CAPABILITIES_KEY]: { elicitation } }: Envelope): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

const named = inMeta({ [VERSION_KEY]: z.string() });
const settings = z.looseObject({}).optional();
const envelope = inMeta({
  [VERSION_KEY]: z.string(),
  [CAPABILITIES_KEY]: z.looseObject({
    elicitation: z.looseObject({ form: settings, url: settings }).optional(),
  }),
  [CLIENT_KEY]: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  progressToken: z.union([z.string(), z.number()]).optional(),
});

function inMeta<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({ params: z.looseObject({ _meta: z.looseObject(shape) }) });
}
