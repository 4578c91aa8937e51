import { interval, Subject } from "rxjs";
import { parseConfig } from "../../../src/config/config.ts";
import { runLoop } from "../../../src/loop/run.ts";
import { openOn } from "../shared-log.ts";

/* host-loop <folder> <shared> <config>: runs the loop on a host of a shared log until it is killed, and prints its steps. */
const [folder = "", shared = "", config = "{}"] = process.argv.slice(2);
const project = openOn(folder, shared);
await runLoop(project, {
  readModelPath: project.store.readModel.database.name,
  config: parseConfig(JSON.parse(config), "the test"),
  driver: `d-${project.store.environment.newId()}`,
  wait: true,
  ticks: interval(50),
  finish: new Subject(),
  cancel: new Subject(),
  tell: (step) => console.log(JSON.stringify(step)),
});
