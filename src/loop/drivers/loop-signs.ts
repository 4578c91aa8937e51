import type { Store } from "../../decisions/store.ts";
import type { HostView } from "../../outside/fleet/hosts.ts";
import { isLost } from "../../queries/hosts.ts";
import type { LoopSign, SeenLoop } from "../../queries/labels/loop-words.ts";
import type { RunningLoop } from "../../queries/loops.ts";
import { type Begun, type Judge, judgeIn, standingOf } from "./judge.ts";

/**
 * Loops that have not said that they stopped, with their signs of life: of this host by their files, of others by the signs of
 * their hosts.
 *
 * @param hosts the hosts of a shared log; undefined for a log that is a file, or while nobody can tell
 */
export function seenLoops(
  store: Store,
  loops: readonly RunningLoop[],
  hosts: readonly HostView[] | undefined,
): readonly SeenLoop[] {
  // Without loops nobody needs to know which host this is.
  if (loops.length === 0) return [];
  const { readModel } = store;
  const judge = judgeIn(readModel.database.name, store);
  return loops.map((loop) => {
    const { driver, host, position } = loop;
    return {
      ...loop,
      sign: signOf({ driver, host, isLost: isLost(readModel, host, position) }, judge, hosts),
    };
  });
}

function signOf(begun: Begun, judge: Judge, hosts: readonly HostView[] | undefined): LoopSign {
  switch (standingOf(begun, judge)) {
    case "alive":
      return "alive";
    case "gone":
      return "died";
    case "lost":
      return "host_lost";
    case "elsewhere":
      // No other host works on a log that is a file, and a driver without a file is dead.
      return judge.isAlone ? "died" : signOfHost(hosts?.find(({ host }) => host === begun.host)?.state);
  }
}

function signOfHost(state: HostView["state"] | undefined): LoopSign {
  if (state === "suspect") return "host_silent";
  if (state === "lost") return "host_lost";
  return state === "alive" ? "alive" : "unknown";
}
