import { join } from "node:path";
import { expect } from "vitest";
import { useBundle } from "../children.ts";
import { temporaryFolder } from "../events/given.ts";
import { campaign } from "./campaign.ts";
import { CALL_KINDS, killAt, SCENARIOS, Scenarios } from "./kill-scenarios.ts";
import { checkStore } from "./store-check.ts";
import { spreadOver } from "./system-calls.ts";

/*
 * Catches: an acknowledgement before the commit, a batch in two transactions, a read model whose rows and checkpoint do
 * not change together, a file that only the process that made it can open. A call at whose entry the child is killed was
 * not made; the next point is killed after it.
 */
const { path: script } = useBundle("test/survival/children/work-on-store.ts");

campaign({
  line: "kill-syscall",
  promise:
    "killed at every system call on the log and the read model (write, fsync, truncate, unlink), during WAL checkpoints, opening, closing, and during the recovery from another kill: no acknowledged event lost, no batch half there",
  small: 25,
  large: 1_000,
  needs: ["strace"],
  atOnce: 2,
  open: () => new Scenarios(script),
  close: (scenarios) => scenarios.remove(),
  async point(number, scenarios) {
    // Scenarios and kinds of calls take turns, so that a few points have some of each.
    const k = Math.floor(number / SCENARIOS / CALL_KINDS.length);
    const scenario = await scenarios.scenario(number % SCENARIOS, k);
    const kind = CALL_KINDS[Math.floor(number / SCENARIOS) % CALL_KINDS.length] ?? [];
    const calls = scenario.calls.filter(({ name }) => kind.includes(name));
    const call = calls[spreadOver(calls.length, Math.floor(number / SCENARIOS))];
    if (!call) throw new Error(`${scenario.name}: there is no call of ${kind.join(", ")}.`);

    const folder = temporaryFolder();
    try {
      const path = scenario.copyTo(join(folder.path, "db"));
      const { killed, acknowledged } = await killAt(scenario, path, call, join(folder.path, "trace"));
      await checkStore(path, acknowledged);
      return {
        killed: Number(killed),
        acknowledged: acknowledged.size,
        [`killed at ${call.name}`]: Number(killed),
      };
    } catch (error) {
      throw new Error(`${scenario.name}, killed at ${call.name} ${call.nth}: ${error}`, { cause: error });
    } finally {
      folder.remove();
    }
  },
  conclude({ killed = 0 }, points) {
    expect(killed).toBe(points);
  },
});
