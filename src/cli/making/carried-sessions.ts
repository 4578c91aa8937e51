import { platform } from "../../lib/platform/here.ts";
import { SESSION_VARIABLE } from "../../mcp/session-variables.ts";

/**
 * The sessions that this process belongs to, by its environment and by those of its ancestors, its own first. Windows does not show
 * the environment of other programs; it shows only the session of an agent that our driver started.
 */
export function carriedSessions(): string[] {
  const own = process.env[SESSION_VARIABLE];
  const found = new Set(own ? [own] : []);
  const { processes, system } = platform();
  const valueIn = processes.variables(SESSION_VARIABLE);
  if (system === "win32") {
    const launched = valueIn(process.pid);
    return [...found, ...(launched ? [launched] : [])];
  }
  const seen = new Set<number>();
  for (let pid = process.ppid; pid > 1 && !seen.has(pid); pid = processes.entry(pid)?.parent ?? 0) {
    seen.add(pid);
    const value = valueIn(pid);
    if (value) found.add(value);
  }
  return [...found];
}
