/* What the core asks of sandboxes, by src/adapters.ts. */
export { findEngine } from "./engine.ts";
export { removeContainer } from "./remains.ts";
export { openSandboxes, type Sandbox, type Sandboxes } from "./sandboxed-session.ts";
