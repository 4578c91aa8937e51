import { onTestFinished } from "vitest";
import { runs } from "../../../src/lib/processes/identity.ts";
import { listDrivers } from "../../../src/loop/drivers/registry.ts";

/** Ends the loops that are started in a project, which outlive whoever starts them, with the test. @param db the read model */
export function endsLoops(db: string): void {
  onTestFinished(async () => {
    for (const { pid, host } of listDrivers(db).filter(({ alive }) => alive)) {
      process.kill(pid, "SIGKILL");
      while (runs({ host, pid }) !== false) await new Promise((resolve) => setImmediate(resolve));
    }
  });
}
