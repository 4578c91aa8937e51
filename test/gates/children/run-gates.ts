import { openProject } from "../../../src/api/project.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { runGates } from "../../../src/gates/run-gates.ts";

/* run-gates <folder> [baseline]: runs the gates of task 1 in session s-1, as a driver or a server does, and prints "over". */
const [folder = "", baseline] = process.argv.slice(2);
const project = await openProject(folder, { actor: "driver" });
const config = parseConfig({}, "test");
await runGates(project, { task: 1, session: "s-1", folder, config, baseline: baseline !== undefined });
await project.close();
process.stdout.write("over\n");
