import { join } from "node:path";
import { z } from "zod";
import type { Adapter, Command, Tracker } from "../adapter.ts";
import { outputOf } from "../process.ts";

/** The built program of this repository, by its command line. */
export function signalbox(root: string, version: string): Adapter {
  const held = (says: string) => ({ promised: true, says });
  return {
    name: "signalbox",
    version,
    about: "events in SQLite; by its command line, in a git repository",
    packages: {},
    docs: {
      "killed writers": held("[what it survives](../test/survival/README.md)"),
      "power cuts": held("[durable](../docs/architecture.md#the-log)"),
      "eight at once": held("[what it survives](../test/survival/README.md)"),
      resume: held("[how a session ends](../docs/rules.md#settlement-when-a-session-ends)"),
      "double claims": held("[how a decision is taken](../docs/architecture.md#how-a-decision-is-taken)"),
      "false dones": held("[a pass belongs to its files](../docs/gates.md#a-pass-belongs-to-its-files)"),
      liars: held("[what a session did](../docs/operating.md#what-a-session-did)"),
    },
    open: (folder) => open(folder, join(root, "bin", "signalbox.js")),
  };
}

function open(folder: string, program: string): Tracker {
  const command = (...args: string[]): Command => ({ argv: [process.execPath, program, ...args] });
  const start = (id: string, session: string) => [command("session", "start", id, "--session", session)];
  return {
    async setUp() {
      // By git it knows for which files a verification counts.
      await outputOf([{ argv: ["git", "init", "--quiet"] }, command("init")], folder);
    },
    add: (title, body) => [command("task", "add", title, "--description", body)],
    addVerified: (title, verify) => [command("task", "add", title, "--verify", verify)],
    runsCommands: true,
    note: (id, text) => [command("comment", "add", id, text)],
    claim: start,
    start,
    release: (_, session) => [command("session", "end", session, "--exit", "cancelled")],
    done: (_, session) => [
      command("signal", "done", "--session", session, "--summary", "It is done."),
      command("session", "end", session, "--exit", "exited"),
    ],
    async list() {
      const output = await outputOf([command("task", "list", "--json", "--limit", "1000")], folder);
      return Tasks.parse(JSON.parse(output)).tasks.map(({ id, title, status }) => ({
        id: String(id),
        title,
        status: status === "done" ? "done" : status === "in_progress" ? "taken" : "open",
      }));
    },
    show: (id) =>
      outputOf([command("task", "show", id, "--json"), command("comment", "list", id, "--json")], folder),
  };
}

const Tasks = z.object({
  tasks: z.array(z.object({ id: z.number(), title: z.string(), status: z.string() })),
});
