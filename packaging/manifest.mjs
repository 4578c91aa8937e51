// @ts-check

/**
 * The manifest of the bundle that is made here: https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md. A human's
 * client asks for the project's folder and starts the server as `signalbox mcp --print-config` has it started.
 *
 * @param {import("./server-json.mjs").Package} of
 */
export function manifestOf({ name, version, license, keywords, engines }) {
  return {
    manifest_version: "0.3",
    name,
    version,
    display_name: "signalbox",
    description: "Tasks, signals and learnings of autonomous coding agents in one project.",
    author: { name: "the signalbox authors" },
    license,
    keywords,
    server: {
      type: "node",
      entry_point: "bin/signalbox.js",
      mcp_config: {
        command: "node",
        args: [own("__dirname/bin/signalbox.js"), "mcp"],
        env: {
          RALPH_DB_PATH: own("user_config.project/.ralph/db/ralph.db"),
          RALPH_CONTEXT: own("user_config.project/.ralph/mcp/context.json"),
        },
      },
    },
    user_config: {
      project: {
        type: "directory",
        title: "Project",
        description: "The folder in which you ran `signalbox init`.",
        required: true,
      },
    },
    // They depend on the project's context.json.
    tools_generated: true,
    compatibility: {
      platforms: ["darwin", "linux", "win32"],
      runtimes: { node: engines.node },
    },
  };
}

/**
 * A path whose first part a client replaces.
 *
 * @param {string} path
 */
function own(path) {
  return path.replace(/^[\w.]+/, (variable) => `\${${variable}}`);
}
