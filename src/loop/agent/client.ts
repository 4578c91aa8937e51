import type { ClientProgram, Permissions } from "../../config/schema.ts";
import type { McpServers } from "../../events/types/mcp-fields.ts";
import type { Finding, Place } from "../doctor/check.ts";
import type { ReadLine } from "./facts.ts";

/**
 * A client whose agents the loop can launch and understand. Adding one: a folder here, its name in clients.ts and in
 * src/config/schema.ts, its row in test/clients/; then `npx vitest run test/docs/clients-page -u`.
 */
export interface Client {
  /** As people call it. */
  readonly title: string;
  /** How it is installed, as a command line. */
  readonly install: string;
  /** What to do where nobody is logged in, as a sentence. */
  readonly login: string;
  /** The oldest version that the loop was tried with. */
  readonly tried: string;
  /** What its users must know; docs/clients.md is made from it. */
  readonly about: AboutClient;
  /** With what it is started. Writes the files that it reads besides into `launch.folder`. */
  launch(program: ClientProgram, launch: ClientLaunch): CommandLine;
  /** Reads the output of one session. */
  reader(): ReadLine;
  /** What doctor looks at once the program is there: whether it is logged in, and whether it trusts the folder. */
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
  /** How it says that a usage limit is reached, each with its source. A test holds that each is taken for one. */
  readonly limits: readonly { readonly words: string; readonly source: string }[];
  /** How it says when the limit ends. */
  readonly resets: string;
  readonly notes: readonly string[];
}

/** Its name is put behind the agent's, such as `agent codex login`. */
export type ClientFinding = Finding & { readonly name: "login" | "folder" };

/** Of a client that asks for no trust where the loop launches it. */
export const needsNoTrust = (why: string): ClientFinding => ({
  name: "folder",
  state: "ok",
  found: `it need not be trusted: ${why}`,
});

/** What the command line of an agent is made of. */
export interface Launch {
  readonly task: number;
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
  /** What is left of the loop's budget, in US dollars. */
  readonly budgetUsd: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

export interface ClientLaunch extends Launch {
  readonly permissions: Permissions;
}

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** What its environment has besides. */
  readonly environment?: Readonly<Record<string, string>>;
}
