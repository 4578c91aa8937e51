import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Client,
  type ClientFinding,
  type ClientLaunch,
  ConfigError,
  type McpServers,
  makePrivateFolder,
  ok,
  type Permissions,
  type Place,
  platform,
  ralphFolderOf,
  SERVER_NAME,
  warning,
  writeWhole,
} from "../core.ts";
import { geminiEntries } from "./entries.ts";
import { geminiReader } from "./stream.ts";

/** Gemini CLI: https://geminicli.com/docs/cli/headless */
export const gemini: Client = {
  title: "Gemini CLI",
  install: "npm install -g @google/gemini-cli",
  login: "Set GEMINI_API_KEY, or log in by starting `gemini` once.",
  tried: "0.61.0",
  about: {
    servers:
      "a home folder in `.ralph/run/` that links to yours, with its own `settings.json` (`GEMINI_CLI_HOME`)",
    editRunsCommands: "no",
    reports: {
      tokens: "at the end",
      cost: "never: set `prices`",
      denials: "in its output",
      repeats: "nothing",
    },
    limits: [
      {
        words: "You have exhausted your capacity on this model",
        source: "https://github.com/google-gemini/gemini-cli/issues/13004",
      },
      {
        words: "You have exhausted your daily quota",
        source: "https://github.com/google-gemini/gemini-cli/issues/15576",
      },
    ],
    resets: "`reset after 8h44m7s`, or `retryDelay` in the API's answer",
    notes: [
      "The loop skips the trust question (`--skip-trust`): whoever starts a loop in a folder trusts it.",
      "A server called `ralph` in the folder's own `.gemini/settings.json` replaces the session's; [doctor](cli.md#doctor) warns of it. Other servers there are not started.",
    ],
  },
  sandbox: {
    hosts: ["generativelanguage.googleapis.com"],
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrl: "GOOGLE_GEMINI_BASE_URL",
  },
  launch: ({ command, args }, launch) => ({
    file: command,
    args: [
      "--approval-mode",
      MODES[launch.permissions],
      "--output-format",
      "stream-json",
      // An untrusted folder gets no servers at all; starting a loop in it implies trust.
      "--skip-trust",
      ...Object.keys(launch.servers).flatMap((name) => ["--allowed-mcp-server-names", name]),
      ...(launch.model === undefined ? [] : ["--model", launch.model]),
      ...args,
    ],
    environment: { GEMINI_CLI_HOME: makeHome(launch) },
  }),
  reader: geminiReader,
  entries: geminiEntries,
  look: async (_path, place) => [loginFinding(place), ...folderFindings(place)],
};

/**
 * https://geminicli.com/docs/reference/configuration#command-line-arguments; tools that would ask
 * for permission are not offered to the model.
 */
const MODES: Readonly<Record<Permissions, string>> = { read: "default", edit: "auto_edit", full: "yolo" };

/**
 * A home folder for Gemini CLI, equal to the user's except for the servers in its settings: it
 * reads servers only from settings files, and we must not edit the project's or the user's.
 */
function makeHome({ folder, servers, environment }: ClientLaunch): string {
  const home = join(folder, "gemini-home");
  const own = join(home, ".gemini");
  const users = userFolder(environment);
  makePrivateFolder(own);
  for (const name of existsSync(users) ? readdirSync(users) : [])
    if (name !== SETTINGS && !existsSync(join(own, name)))
      platform().files.link(join(users, name), join(own, name));
  const before = { ...loginBy(environment), ...objectInJsonc(join(users, SETTINGS)) };
  writeWhole(
    join(own, SETTINGS),
    `${JSON.stringify({ ...before, mcpServers: entriesOf(servers) }, undefined, 2)}\n`,
  );
  return home;
}

/**
 * The login for a key and another address of the model. Where no settings name one, as in a sandbox, Gemini
 * CLI takes the address for a gateway, a login that it then refuses.
 */
function loginBy({ GEMINI_API_KEY, GOOGLE_GEMINI_BASE_URL }: NodeJS.ProcessEnv): object {
  if (!GEMINI_API_KEY || !GOOGLE_GEMINI_BASE_URL) return {};
  return { security: { auth: { selectedType: "gemini-api-key" } } };
}

const SETTINGS = "settings.json";

function userFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment.GEMINI_CLI_HOME || environment.HOME || homedir(), ".gemini");
}

function entriesOf(servers: McpServers): object {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      "url" in server
        ? {
            [server.type === "sse" ? "url" : "httpUrl"]: server.url,
            headers: server.headers ?? {},
            trust: true,
          }
        : { ...server, trust: true },
    ]),
  );
}

function loginFinding({ env }: Place): ClientFinding {
  const known =
    ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_GCA"].some((name) => env[name]) ||
    existsSync(join(userFolder(env), "oauth_creds.json"));
  const finding = known
    ? ok("login", "it has a key or a login")
    : warning("login", "Gemini CLI has no key and no login", gemini.login);
  return { ...finding, name: "login" };
}

/** A server with our name in the project's settings would override the session's. */
function folderFindings({ readModelPath }: Place): ClientFinding[] {
  if (readModelPath === undefined) return [];
  const path = join(dirname(ralphFolderOf(readModelPath)), ".gemini", SETTINGS);
  const { mcpServers } = existsSync(path) ? objectInJsonc(path) : {};
  const hidden = typeof mcpServers === "object" && mcpServers !== null && SERVER_NAME in mcpServers;
  const finding = hidden
    ? warning(
        "folder",
        `${path} has a server "${SERVER_NAME}", which Gemini CLI uses instead of the session's own`,
        "Move it into ~/.gemini/settings.json.",
      )
    : ok("folder", "trusted for the loop (--skip-trust)");
  return [{ ...finding, name: "folder" }];
}

/**
 * Parses a settings file that may contain comments; empty if the file does not exist.
 *
 * @throws ConfigError: it is not JSON
 */
function objectInJsonc(path: string): Readonly<Record<string, unknown>> {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(withoutComments(readFileSync(path, "utf8")));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read, but the agent's client needs it. Correct it.`, {
      cause,
    });
  }
}

/** Matches strings too, so that comment marks inside a string stay. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string?: string) => string ?? "",
  );
}
