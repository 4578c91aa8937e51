import type { Store } from "../../decisions/store.ts";
import type { HostView } from "../../fleet/hosts.ts";
import type { LoopSign } from "../../projections/labels/loop-words.ts";
import { isLost } from "../../projections/queries/hosts.ts";
import type { RunningLoop } from "../../projections/queries/loops.ts";
import { type Judge, judgeIn, standingOf } from "./judge.ts";

/**
 * The signs of life of loops that have not said that they stopped, by their drivers: of this host by their files, of others by the
 * signs of their hosts.
 *
 * @param hosts the hosts of a shared log; undefined for a log that is a file, or while nobody can tell
 */
export function loopSigns(
  store: Store,
  loops: readonly RunningLoop[],
  hosts: readonly HostView[] | undefined,
): ReadonlyMap<string, LoopSign> {
  if (loops.length === 0) return new Map();
  const { readModel } = store;
  const judge = judgeIn(readModel.database.name, store);
  return new Map(loops.map((loop) => [loop.driver, signOf(loop)]));

  function signOf({ driver, host, position }: RunningLoop): LoopSign {
    const begun = { driver, host, isLost: isLost(readModel, host, position) };
    return signBy(begun, judge, hosts);
  }
}

function signBy(
  begun: Parameters<typeof standingOf>[0],
  judge: Judge,
  hosts: readonly HostView[] | undefined,
): LoopSign {
  switch (standingOf(begun, judge)) {
    case "alive":
      return "alive";
    case "gone":
      return "died";
    case "lost":
      return "host_lost";
    case "elsewhere": {
      // No other host works on a log that is a file, and a driver without a file is dead.
      if (judge.isAlone) return "died";
      const state = hosts?.find(({ host }) => host === begun.host)?.state;
      if (state === "suspect") return "host_silent";
      if (state === "lost") return "host_lost";
      return state === "alive" ? "alive" : "unknown";
    }
  }
}
