import { SERVER_NAME } from "../../events/server-name.ts";
import { version } from "../../lib/version.ts";
import { RESOURCE_CAPABILITIES } from "../resources/serve.ts";

/** How the server names itself. */
export const SERVER_INFO = { name: SERVER_NAME, version } as const;

/** What the server can do, in both eras. */
export const CAPABILITIES = { tools: { listChanged: true }, ...RESOURCE_CAPABILITIES } as const;

/** The versions of MCP that are served, the newest first. */
export const SERVED_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;
