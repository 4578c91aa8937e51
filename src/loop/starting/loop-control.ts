import type { Project } from "../../api/project.ts";
import { InFlight } from "../../lib/in-flight.ts";
import type { LoopControl, StartedLoop } from "../../outside/fleet/loop-control.ts";
import { seenLoops } from "../drivers/loop-signs.ts";
import { planLoop, startLoop } from "./start-loop.ts";

/** Shows and starts the loops of a project on this machine. */
export function controlLoops(project: Project): LoopControl {
  // A request that is sent again waits for the first one.
  const starting = new InFlight<StartedLoop>();
  return {
    plan: () => planLoop(project.store.readModel.database.name),
    see: (loops, hosts) => seenLoops(project.store, loops, hosts),
    start: (wish) => starting.share(wish.key, () => startLoop(project, wish)),
  };
}
