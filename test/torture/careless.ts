import { packagePath } from "../../src/lib/package-root.ts";
import type { Adapter, Command } from "../../torture/adapter.ts";
import { outputOf } from "../../torture/process.ts";

const promise = { promised: true, says: "" };

/** A tool that fails each case: it acknowledges before it writes, in two parts, without fsync, lock, claim or verification. */
export const careless: Adapter = {
  name: "careless",
  version: "1",
  about: "",
  packages: {},
  docs: {
    "killed writers": promise,
    "power cuts": promise,
    "eight at once": promise,
    resume: promise,
    "double claims": promise,
    "false dones": promise,
    liars: promise,
  },
  open(folder) {
    const command = (...args: string[]): Command => ({
      argv: [process.execPath, packagePath("test/torture/careless.mjs"), ...args],
    });
    return {
      setUp: async () => void (await outputOf([command("init")], folder)),
      add: (title, body) => [command("add", title, body)],
      addVerified: (title) => [command("add", title, "")],
      runsCommands: true,
      note: (id, text) => [command("note", id, text)],
      claim: (id) => [command("taken", id)],
      start: (id) => [command("taken", id)],
      release: (id) => [command("open", id)],
      done: (id) => [command("done", id)],
      list: async () => JSON.parse(await outputOf([command("list")], folder)),
      show: (id) => outputOf([command("show", id)], folder),
    };
  },
};
