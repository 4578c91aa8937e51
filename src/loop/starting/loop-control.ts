import type { Project } from "../../api/project.ts";
import type { LoopControl, LoopWish, StartedLoop } from "../../outside/fleet/loop-control.ts";
import { seenLoops } from "../drivers/loop-signs.ts";
import { planLoop, startLoop } from "./start-loop.ts";

/** Shows and starts the loops of a project on this machine. */
export function controlLoops(project: Project): LoopControl {
  // A request that is sent again waits for the first one.
  const starting = new Map<string, Promise<StartedLoop>>();
  return {
    plan: () => planLoop(project.store.readModel.database.name),
    see: (loops, hosts) => seenLoops(project.store, loops, hosts),
    start: (wish) => starting.get(wish.key) ?? begin(wish),
  };

  function begin(wish: LoopWish): Promise<StartedLoop> {
    const started = startLoop(project, wish).finally(() => starting.delete(wish.key));
    starting.set(wish.key, started);
    return started;
  }
}
