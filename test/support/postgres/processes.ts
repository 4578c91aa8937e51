import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "./ask.ts";

/** The ids of the processes that a process has started. */
async function childrenOf(parent: number): Promise<number[]> {
  return (await processes()).filter((one) => one.parent === parent).map(({ pid }) => pid);
}

/** The id of a running server's first process. @param data the server's folder */
export function postmasterOf(data: string): number {
  return Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
}

/** Kills a server and all its processes at once, as a machine does that loses its power. @param data the server's folder; it stays */
export async function killServer(data: string): Promise<void> {
  const postmaster = postmasterOf(data);
  // Stopped, it starts no process that would be missed. It is killed last: backends that outlive it end their wait for a standby, and
  // show for a moment what no standby has.
  process.kill(postmaster, "SIGSTOP");
  await killAll([...(await childrenOf(postmaster)), postmaster]);
  // Their process id may be in use still: as long as nobody has asked how the killed process ended.
  rmSync(join(data, "postmaster.pid"));
}

/** Kills processes with SIGKILL, and waits until they are gone. */
async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  await until(`the processes ${pids.join(", ")} have ended`, async () =>
    (await processes()).every(({ pid, state }) => state.startsWith("Z") || !pids.includes(pid)),
  );
}

async function processes(): Promise<{ pid: number; parent: number; state: string }[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat="]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, parent, state = ""] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state };
    });
}
