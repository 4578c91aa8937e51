import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Adapter, Command, Tracker } from "../adapter.ts";
import { outputOf } from "../process.ts";

const README = "[README](https://unpkg.com/task-master-ai@0.43.1/README.md)";
const CHANGELOG = "[changelog](https://unpkg.com/task-master-ai@0.43.1/CHANGELOG.md)";

export const taskMaster: Adapter = {
  name: "task-master-ai",
  version: "0.43.1",
  about: "one JSON file; by its command line, without a model",
  slowness: 3,
  packages: { "task-master-ai": "0.43.1" },
  docs: {
    "killed writers": { promised: true, says: `${CHANGELOG}, #1566: atomic writes, no partial ones` },
    "power cuts": { promised: false, says: `${CHANGELOG}, #1566: atomic writes; nothing on power` },
    "eight at once": { promised: true, says: `${CHANGELOG}, #1566 and #1569: no lost updates` },
    resume: { promised: true, says: `${README}: tasks are a file of the project` },
    "double claims": { promised: false, says: `${README}: statuses, no claim` },
    "false dones": { promised: false, says: `${README}: a test strategy as text; no command is run` },
    liars: { promised: false, says: `${README}: nothing on what the repository has when a task is done` },
  },
  open: (folder, installed) => open(folder, join(installed, "node_modules", ".bin", "task-master")),
};

function open(folder: string, program: string): Tracker {
  const command = (...args: string[]): Command => ({ argv: [program, ...args] });
  const setStatus = (id: string, status: string): Command[] => [
    {
      ...command("set-status", `--id=${id}`, `--status=${status}`, "--format=json"),
      accepts: (output) => !/"success": ?false/.test(output),
    },
  ];
  return {
    // `parse-prd` would ask a model for the first tasks; a file without tasks is what is left when they are removed.
    async setUp() {
      await outputOf([command("init", "--yes", "--skip-install", "--no-git", "--no-aliases")], folder);
      const tasks = join(folder, ".taskmaster", "tasks");
      mkdirSync(tasks, { recursive: true });
      writeFileSync(join(tasks, "tasks.json"), JSON.stringify({ master: { tasks: [], metadata: {} } }));
    },
    add: (title, body) => [
      command("add-task", `--title=${title}`, "--description=short", `--details=${body}`),
    ],
    start: (id) => setStatus(id, "in-progress"),
    release: (id) => setStatus(id, "pending"),
    done: (id) => setStatus(id, "done"),
    async list() {
      const output = await outputOf([command("list", "--format=json")], folder);
      return Tasks.parse(JSON.parse(firstJson(output))).tasks.map(({ id, title, status }) => ({
        id: String(id),
        title,
        status: status === "done" ? "done" : status === "in-progress" ? "taken" : "open",
      }));
    },
    show: (id) => outputOf([command("show", id, "--format=json")], folder),
  };
}

/** Of an empty list it also says in words that it is empty. */
function firstJson(output: string): string {
  return output.slice(0, output.indexOf("\n}") + 2);
}

const Tasks = z.object({
  tasks: z.array(z.object({ id: z.union([z.string(), z.number()]), title: z.string(), status: z.string() })),
});
