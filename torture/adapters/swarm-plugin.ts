import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { z } from "zod";
import type { Adapter, Command, Tracker } from "../adapter.ts";
import { outputOf } from "../process.ts";

const README = "[README](https://unpkg.com/opencode-swarm-plugin@0.63.2/README.md)";

export const swarmPlugin: Adapter = {
  name: "opencode-swarm-plugin",
  version: "0.63.2",
  about: "events in libSQL; by its MCP server, which is started for each call, with bun 1.4.4",
  packages: {
    "opencode-swarm-plugin": "0.63.2",
    "@libsql/client": "0.18.0",
    "@oven/bun-linux-x64": "1.4.4",
    typescript: "6.0.3",
    zod: "4.6.7",
  },
  overrides: {
    "opencode-swarm-plugin": {
      "@opencode-ai/plugin": "npm:empty-npm-package@1.0.0",
      effect: "npm:empty-npm-package@1.0.0",
      "swarm-mail": "npm:empty-npm-package@1.0.0",
      "swarm-queue": "npm:empty-npm-package@1.0.0",
    },
  },
  docs: {
    "killed writers": { promised: true, says: `${README}: survives crashes` },
    "power cuts": { promised: false, says: `${README}: survives crashes; nothing on power` },
    "eight at once": { promised: true, says: `${README}: parallel agents` },
    resume: { promised: true, says: `${README}: checkpoints and recovery, of an epic; not used here` },
    "double claims": { promised: false, says: `${README}: it reserves files, not tasks` },
    "false dones": {
      promised: true,
      says: "`swarm_complete`: a verification gate runs typecheck and tests before it finalizes",
    },
    liars: { promised: false, says: "`swarm_complete`: its gate checks types and tests; nothing on commits" },
  },
  open,
};

function open(folder: string, installed: string): Tracker {
  const modules = join(installed, "node_modules");
  const root = join(modules, "opencode-swarm-plugin", "claude-plugin");
  const bun = join(modules, "@oven", "bun-linux-x64", "bin");
  const call = (tool: string, args: object, home = folder): Command => ({
    argv: [
      "bun",
      join(installed, "call-tool.mjs"),
      join(root, "bin", "swarm-mcp-server.cjs"),
      tool,
      JSON.stringify(args),
    ],
    env: {
      HOME: home,
      TMPDIR: folder,
      CLAUDE_PLUGIN_ROOT: root,
      CLAUDE_SESSION_ID: "torture",
      PATH: [bun, join(modules, ".bin"), process.env.PATH].join(delimiter),
    },
    // A refusal is told in the text alone.
    accepts: (output) => !/^\s*\{\s*"success": false|^\S*Error/.test(output),
  });
  const query = async () =>
    Cells.parse(JSON.parse(await outputOf([call("hive_query", { limit: 1000 })], folder)));
  return {
    async setUp() {
      mkdirSync(join(folder, "src"));
      await outputOf([call("swarmmail_init", { project_path: folder, agent_name: "torture" })], folder);
    },
    add: (title, body) => [call("hive_create", { title, description: body })],
    // Its gate runs tsc: the types hold if the command passes.
    addVerified: (title, command) => [
      {
        argv: [
          "sh",
          "-c",
          `printf '{"include":["src"],"compilerOptions":{"noEmit":true,"types":[]}}' > tsconfig.json; if ${command}; then echo 'export const a: number = 1;'; else echo 'export const a: number = "x";'; fi > src/a.ts`,
        ],
      },
      call("hive_create", { title }),
    ],
    start: (id) => [call("hive_start", { id })],
    release: (id) => [call("hive_update", { id, status: "open" })],
    done: (id, agent) => [
      call("swarm_complete", {
        project_key: folder,
        agent_name: agent,
        bead_id: id,
        summary: "It is done.",
        start_time: 1,
        files_touched: ["src/a.ts"],
        skip_review: true,
      }),
    ],
    list: async () =>
      (await query()).map(({ id, title, status }) => ({
        id,
        title,
        status: status === "closed" ? "done" : status === "in_progress" ? "taken" : "open",
      })),
    show: async (id) => (await query()).find((cell) => cell.id === id)?.description ?? "",
  };
}

const Cells = z.array(
  z.object({ id: z.string(), title: z.string(), status: z.string(), description: z.string().nullish() }),
);
