/*
 * What both sides of a sandbox know: the driver, and the program that starts the agent in it
 * (inside.ts), which loads nothing else of ours.
 */

/** In the session's folder: where the driver serves its tools, and the proxy. */
export const TOOLS_SOCKET = "tools";
export const PROXY_SOCKET = "proxy";
/** In the session's folder: the home folder of its agent. */
export const HOME_FOLDER = "home";

/** Ports of the sandbox's own loopback, which nobody outside of it can reach. */
export const TOOLS_PORT = 47_100;
export const PROXY_PORT = 47_101;

/** What the agent's client is told of its tools. */
export const TOOLS_URL = `http://127.0.0.1:${TOOLS_PORT}/mcp`;

/** The proxy answers it, and ends the answer with the session: then the agent must end. */
export const SESSION_PATH = "/session";
