import type { Via } from "../../events/event.ts";
import { platform } from "../../lib/platform/here.ts";
import { visible } from "../../lib/visible.ts";

/**
 * How a command was called: at the terminal to which this process belongs, even if its input and output are elsewhere, or by a
 * program, as by cron. Windows tells the one by whether it writes to a terminal, and names no callers.
 */
export function calledVia(): Via {
  const { processes, system } = platform();
  if (system === "win32") {
    const { stdin, stdout, stderr } = process;
    return { channel: [stdin, stdout, stderr].some(({ isTTY }) => isTTY) ? "terminal" : "program" };
  }
  const tty = processes.entry(process.pid)?.tty;
  const caller = visible(processes.entry(process.ppid)?.name ?? "").trim();
  return {
    ...(tty === undefined ? { channel: "program" } : { channel: "terminal", tty }),
    ...(caller !== "" && { program: caller.slice(0, 100) }),
  };
}
