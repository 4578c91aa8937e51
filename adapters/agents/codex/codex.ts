import {
  type Client,
  type ClientLaunch,
  failedCheck as failed,
  type McpServers,
  needsNoTrust,
  ok,
  type Permissions,
  quoted,
  run,
  SERVER_NAME,
} from "../core.ts";
import { codexEntries } from "./entries.ts";
import { codexReader } from "./stream.ts";

/** Codex: https://developers.openai.com/codex/noninteractive */
export const codex: Client = {
  title: "Codex",
  install: "npm install -g @openai/codex",
  login: "Log in: `codex login`. A model provider of your own in ~/.codex/config.toml needs no login.",
  tried: "0.169.0",
  about: {
    servers: "settings on its command line, `-c mcp_servers.…`",
    editRunsCommands: "yes, in a sandbox: no network, writes only in its folder",
    reports: {
      tokens: "at the end",
      cost: "never: set `prices`",
      denials:
        "in its log, and as errors of its sandbox. A command that fails at once is not always reported",
      repeats: "nothing: signalbox ignores `callId`, a number of the model provider",
    },
    limits: [
      { words: "You've hit your usage limit", source: "https://github.com/openai/codex/issues/3899" },
      { words: "You have reached your usage limit", source: "https://github.com/openai/codex/issues/30206" },
      { words: "Quota exceeded", source: "https://github.com/openai/codex/issues/17042" },
      { words: "You exceeded your current quota", source: "https://github.com/openai/codex/issues/2004" },
    ],
    resets: "`try again at 7:38 AM`, also with a date; older versions: `try again in 5 days 22 hours`",
    notes: [
      "Its sandbox needs `bwrap`, and a home folder that is not below `/tmp`.",
      "It ignores the `.codex/config.toml` of a folder that it does not trust.",
    ],
  },
  sandbox: {
    hosts: ["api.openai.com"],
    variables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    // It takes another address from its settings alone.
    baseUrl: undefined,
  },
  launch: ({ command, args }, launch) => ({
    file: command,
    args: [
      "exec",
      "--json",
      "--skip-git-repo-check",
      ...FLAGS[launch.permissions],
      ...serverSettings(launch).flatMap((setting) => ["-c", setting]),
      ...(launch.model === undefined ? [] : ["-m", launch.model]),
      ...args,
      // The prompt comes on standard input.
      "-",
    ],
    environment: environmentOf(launch.servers),
  }),
  reader: codexReader,
  entries: codexEntries,
  async look(path, { cwd, env }) {
    const { exitCode, stdout, stderr } = await run(path, ["login", "status"], { cwd, env });
    const said = `${stdout}\n${stderr}`.split("\n").find((line) => /logged in/i.test(line));
    const folder = needsNoTrust(
      "`codex exec` is given its sandbox and servers by flags; .codex/config.toml of an untrusted folder is not read",
    );
    if (exitCode === 0) return [{ ...ok("login", said ?? "logged in"), name: "login" }, folder];
    const finding = failed("login", "Codex is not logged in", codex.login);
    return [{ ...finding, ...(exitCode === 1 && { state: "warning" }), name: "login" }, folder];
  },
};

/** https://developers.openai.com/codex/agent-approvals-security */
const FLAGS: Readonly<Record<Permissions, readonly string[]>> = {
  read: ["-s", "read-only", "-c", 'approval_policy="never"'],
  edit: ["-s", "workspace-write", "-c", 'approval_policy="never"'],
  full: ["--dangerously-bypass-approvals-and-sandbox"],
};

/**
 * The session's servers as settings. They are `required`: otherwise Codex starts without a server
 * that takes more than a second. Other users can read a command line, so secret values of a
 * discipline's servers go through Codex's environment. Our server's values are not secret and are
 * written here, which overrides the user's settings for a server of this name.
 */
function serverSettings({ servers }: ClientLaunch): string[] {
  return Object.entries(servers).flatMap(([name, server], place) => {
    const at = `mcp_servers.${name}`;
    const settings =
      "url" in server
        ? [`url=${quoted(server.url)}`, `env_http_headers=${inlineTable(headerVariables(server, place))}`]
        : [
            `command=${quoted(server.command)}`,
            `args=[${(server.args ?? []).map((arg) => quoted(arg)).join(", ")}]`,
            ...(name === SERVER_NAME
              ? [`env=${inlineTable(server.env ?? {})}`]
              : [
                  `env_vars=[${Object.keys(server.env ?? {})
                    .map((variable) => quoted(variable))
                    .join(", ")}]`,
                ]),
          ];
    return [...settings, "required=true"].map((setting) => `${at}.${setting}`);
  });
}

function environmentOf(servers: McpServers): Record<string, string> {
  return Object.assign({}, ...Object.values(servers).map(variablesOf));
}

function variablesOf(server: McpServers[string], place: number): Record<string, string> {
  if (!("url" in server)) return server.env ?? {};
  const names = headerVariables(server, place);
  return Object.fromEntries(
    Object.entries(server.headers ?? {}).map(([header, value]) => [names[header] ?? header, value]),
  );
}

/** The environment variables for the headers of the n-th server, by header. */
function headerVariables(
  { headers = {} }: { readonly headers?: Record<string, string> | undefined },
  place: number,
): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers).map((header, index) => [header, `SIGNALBOX_HEADER_${place}_${index}`]),
  );
}

function inlineTable(values: Readonly<Record<string, string>>): string {
  const entries = Object.entries(values).map(([name, value]) => `${quoted(name)} = ${quoted(value)}`);
  return `{ ${entries.join(", ")} }`;
}
