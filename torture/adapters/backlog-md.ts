import { join } from "node:path";
import type { Adapter, Command, Task, Tracker } from "../adapter.ts";
import { outputOf } from "../process.ts";

const README = "[README](https://unpkg.com/backlog.md@1.52.0/README.md)";

export const backlogMd: Adapter = {
  name: "Backlog.md",
  version: "1.52.0",
  about: "one Markdown file a task; by its command line, without git",
  packages: { "backlog.md": "1.52.0" },
  docs: {
    "killed writers": { promised: false, says: `${README}: nothing on crashes` },
    "power cuts": { promised: false, says: `${README}: nothing on crashes` },
    "eight at once": { promised: false, says: `${README}: one task, one agent session, one PR` },
    resume: { promised: true, says: `${README}: tasks and their notes are files` },
    "double claims": { promised: false, says: `${README}: an assignee, no claim` },
    "false dones": {
      promised: false,
      says: `${README}: criteria and a definition of done to tick; no command is run`,
    },
    liars: { promised: false, says: `${README}: nothing on what the repository has when a task is done` },
  },
  open: (folder, installed) => open(folder, join(installed, "node_modules", ".bin", "backlog")),
};

function open(folder: string, program: string): Tracker {
  const command = (...args: string[]): Command => ({ argv: [program, ...args] });
  const edit = (id: string, ...args: string[]) => [command("task", "edit", id, ...args)];
  return {
    async setUp() {
      await outputOf(
        [command("init", "torture", "--defaults", "--no-git", "--integration-mode", "none")],
        folder,
      );
    },
    add: (title, body) => [command("task", "create", title, "--description", body)],
    note: (id, text) => edit(id, "--append-notes", text),
    start: (id, agent) => edit(id, "--status", "In Progress", "--assignee", `@${agent}`),
    release: (id) => edit(id, "--status", "To Do", "--assignee", ""),
    done: (id) => edit(id, "--status", "Done"),
    list: async () => parseList(await outputOf([command("task", "list", "--plain")], folder)),
    show: (id) => outputOf([command("task", "view", id, "--plain")], folder),
  };
}

/** `To Do:`, then a line `  TASK-1 - Tea` for each task. */
function parseList(output: string): Task[] {
  let status: Task["status"] = "open";
  const tasks: Task[] = [];
  for (const line of output.split("\n")) {
    const [, heading] = /^(\S.*):$/.exec(line) ?? [];
    if (heading !== undefined)
      status = heading === "Done" ? "done" : heading === "In Progress" ? "taken" : "open";
    const [, id, title] = /^\s+(?:\[\w+\] )?(TASK-\S+) - (.*)$/.exec(line) ?? [];
    if (id !== undefined && title !== undefined) tasks.push({ id, title, status });
  }
  return tasks;
}
