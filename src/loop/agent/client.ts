import type { ClientProgram, Permissions } from "../../config/schema.ts";
import type { McpServers } from "../../events/types/mcp-fields.ts";
import type { Finding, Place } from "../doctor/check.ts";
import type { ReadEntries } from "./entry.ts";
import type { ReadLine } from "./facts.ts";

/**
 * A client whose agents the loop can launch and parse. To add one: a folder in adapters/agents, its name in
 * clients.ts and in src/config/schema.ts, its row in test/clients/; then
 * `npx vitest run test/docs/clients-page -u`.
 */
export interface Client {
  /** Its name for people. */
  readonly title: string;
  /** The command line that installs it. */
  readonly install: string;
  /** A sentence: how to log in. */
  readonly login: string;
  /** The oldest version that was tested with the loop. */
  readonly tried: string;
  /** What its users must know; docs/clients.md is made from it. */
  readonly about: AboutClient;
  /** What it needs in a sandbox (docs/sandbox.md). */
  readonly sandbox: SandboxNeeds;
  /** The command to start it. Writes the other files that it reads into `launch.folder`. */
  launch(program: ClientProgram, launch: ClientLaunch): CommandLine;
  /** Parses the output of one session. */
  reader(): ReadLine;
  /** Reads one line of it for people. */
  readonly entries: ReadEntries;
  /** Doctor's checks once the program is found: login, and trust in the folder. */
  look(path: string, place: Place): Promise<readonly ClientFinding[]>;
}

export interface AboutClient {
  /** How it gets the MCP servers of a session. */
  readonly servers: string;
  /** Whether an agent with the permissions `edit` may run commands. */
  readonly editRunsCommands: string;
  readonly reports: {
    readonly tokens: string;
    readonly cost: string;
    readonly denials: string;
    /** What identifies a tool call that the client repeats. */
    readonly repeats: string;
  };
  /** How it says that a usage limit is reached, each with its source. A test checks that each is recognised. */
  readonly limits: readonly { readonly words: string; readonly source: string }[];
  /** How it says when the limit ends. */
  readonly resets: string;
  readonly notes: readonly string[];
}

interface SandboxNeeds {
  /** The hosts of its model. */
  readonly hosts: readonly string[];
  /** Environment variables with its credentials. */
  readonly variables: readonly string[];
  /** The environment variable that names another address of its model. */
  readonly baseUrl: string | undefined;
}

/** The check's suffix after the agent's name, as in `agent codex login`. */
export type ClientFinding = Finding & { readonly name: "login" | "folder" };

/** For clients that need no trusted folder when the loop launches them. */
export const needsNoTrust = (why: string): ClientFinding => ({
  name: "folder",
  state: "ok",
  found: `it need not be trusted: ${why}`,
});

/** The inputs of an agent's command line. */
export interface Launch {
  /** Null in a session without one. */
  readonly task: number | null;
  readonly session: string;
  /** The folder of the session's own files. */
  readonly folder: string;
  readonly promptFile: string;
  readonly mcpConfig: string;
  /** The MCP servers of the session, ours first. */
  readonly servers: McpServers;
  /** The agent's own id of its conversation; a UUID. */
  readonly conversation: string;
  readonly model: string | undefined;
  /** The rest of the loop's budget, in US dollars. */
  readonly budgetUsd: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

export interface ClientLaunch extends Launch {
  readonly permissions: Permissions;
}

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
}
