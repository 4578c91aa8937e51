import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Client, type McpServers, needsNoTrust, ok, type Permissions, warning } from "../core.ts";
import { opencodeEntries } from "./entries.ts";
import { opencodeReader } from "./stream.ts";

/** opencode: https://opencode.ai/docs/cli/#run */
export const opencode: Client = {
  title: "opencode",
  install: "npm install -g opencode-ai",
  login: "Log in: `opencode auth login`.",
  tried: "1.18.33",
  about: {
    servers: "settings in the environment variable `OPENCODE_CONFIG_CONTENT`",
    editRunsCommands: "no",
    reports: {
      tokens: "with each step",
      cost: "with each step, if its provider has prices",
      denials: "in its output",
      repeats: "nothing",
    },
    limits: [],
    resets: "`retry-after`, or `resets_at` ([source](https://github.com/earendil-works/pi/issues/4172))",
    notes: ["A usage limit reads as its model provider words it."],
  },
  // It has no provider of its own: the configuration names its host and the variable of its key.
  sandbox: { hosts: [], variables: [], baseUrl: "ANTHROPIC_BASE_URL" },
  launch: ({ command, args }, { permissions, servers, model }) => ({
    file: command,
    args: [
      "run",
      "--format",
      "json",
      ...(permissions === "full" ? ["--auto"] : []),
      ...(model === undefined ? [] : ["--model", model]),
      ...args,
    ],
    // Overrides all configuration files except an administrator's:
    // https://opencode.ai/docs/config/#precedence-order
    environment: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: mcpEntries(servers), permission: RULES[permissions] }),
    },
  }),
  reader: opencodeReader,
  entries: opencodeEntries,
  async look(_path, { env }) {
    const data = env.XDG_DATA_HOME || join(env.HOME || homedir(), ".local", "share");
    const known =
      existsSync(join(data, "opencode", "auth.json")) ||
      Object.keys(env).some((name) => name.endsWith("_API_KEY")) ||
      PLACES.some((name) =>
        existsSync(join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "opencode", name)),
      );
    const finding = known
      ? ok("login", "it has a provider")
      : warning("login", "opencode has no model provider", opencode.login);
    return [{ ...finding, name: "login" }, needsNoTrust("opencode does not ask for trust in folders")];
  },
};

const PLACES = ["opencode.json", "opencode.jsonc"];

/**
 * https://opencode.ai/docs/permissions: denied tools are not offered to the model. No one answers a
 * permission question, which would end the session, so no tool is left on "ask".
 */
const RULES: Readonly<Record<Permissions, object>> = {
  read: { edit: "deny", bash: "deny", external_directory: "deny" },
  edit: { edit: "allow", bash: "deny", external_directory: "deny" },
  full: { edit: "allow", bash: "allow", external_directory: "allow" },
};

function mcpEntries(servers: McpServers): object {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      "url" in server
        ? { type: "remote", url: server.url, headers: server.headers ?? {}, enabled: true }
        : {
            type: "local",
            command: [server.command, ...(server.args ?? [])],
            environment: server.env ?? {},
            enabled: true,
          },
    ]),
  );
}
