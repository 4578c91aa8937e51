import { copyFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { bwrapLine } from "./bwrap.ts";
import { containerArguments } from "./container.ts";
import {
  type AgentProgram,
  type AgentRun,
  agentNamed,
  type CommandLine,
  type Config,
  ConfigError,
  clients,
  gateEnvironment,
  HOME_FOLDER,
  identity,
  makePrivateFolder,
  PROXY_SOCKET,
  packagePath,
  removeSpecialFiles,
  rootOf,
  type Sandboxing,
  withoutLogPassword,
  worktreeFolder,
  worktreesOf,
} from "./core.ts";
import { findEngine } from "./engine.ts";
import type { Mount } from "./mount.ts";
import { openProxy } from "./proxy.ts";
import { containerName, noteContainer, removeContainer } from "./remains.ts";
import { ownProgramFor, sessionMounts } from "./session-mounts.ts";

/** How the agents of a loop are kept in sandboxes. */
export interface Sandboxes {
  open(claim: AgentRun, files: SessionFiles): Promise<Sandbox>;
}

interface SessionFiles {
  /** The session's own folder, for the agent to see at the same place; its tools' socket is there. */
  readonly folder: string;
  /** What identifies its processes, and the agent, as the session's. */
  readonly names: Readonly<Record<string, string>>;
  readonly report: (error: unknown) => void;
}

/** The sandbox of one session. */
export interface Sandbox {
  /** The folder in which its client's files can be written for it to read. */
  readonly home: string;
  /** What the agent has in its environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** The command line that starts an agent in it, and the whole environment of that. */
  start(agent: CommandLine): { readonly command: CommandLine; readonly environment: NodeJS.ProcessEnv };
  /** Ends whatever still runs in it, and closes its way out. */
  close(): Promise<void>;
}

/**
 * Tries the engine, before any session starts.
 *
 * @throws ConfigError: there is no such engine here, or no such image
 */
export async function openSandboxes(
  config: Config,
  settings: Sandboxing,
  readModelPath: string,
): Promise<Sandboxes> {
  const root = realpathSync(rootOf(readModelPath));
  if (root === "/")
    throw new ConfigError("A project in / cannot have sandboxes. Move it into a folder of its own.");
  // A fault in what they need is found here, too.
  for (const name of [config.agent, config.escalation.agent ?? config.agent])
    needsOf(agentNamed(config, name), settings, process.env);
  const engine = await findEngine(settings, root);
  if ("found" in engine)
    throw new ConfigError(`No agent can be kept in a sandbox: ${engine.found}. ${engine.mend}`);
  return {
    open: (claim, files) => openSandbox(claim, files, { config, settings, readModelPath, engine }),
  };
}

async function openSandbox(
  { session, task, workspace, program }: AgentRun,
  { folder, names, report }: SessionFiles,
  {
    config,
    settings,
    readModelPath,
    engine: { file },
  }: {
    readonly config: Config;
    readonly settings: Sandboxing;
    readonly readModelPath: string;
    readonly engine: { readonly file: string };
  },
): Promise<Sandbox> {
  const { hosts, variables } = needsOf(program, settings, process.env);
  const home = join(folder, HOME_FOLDER);
  makePrivateFolder(home);
  const inside = join(folder, "inside.mjs");
  copyFileSync(packagePath("dist/signalbox-inside.js"), inside);
  const root = rootOf(readModelPath);
  const hasWorktree = task !== null && worktreesOf(config) !== undefined;
  const top = hasWorktree ? worktreeFolder(root, task.id) : root;
  const mounts = await sessionMounts(top, {
    hasWorktree,
    workplace: workspace.folder,
    folder,
    readModelPath,
    named: settings.mounts,
  });
  const given = Object.entries(withoutLogPassword(process.env)).filter(([name]) => variables.includes(name));
  const environment = {
    ...Object.fromEntries(given),
    ...(await identity(top)),
    ...names,
    // Its client writes what it needs for the session there, and must not read the user's.
    HOME: home,
  };
  const proxy = await openProxy(join(folder, PROXY_SOCKET), { allowed: hosts, report });
  const { engine } = settings;
  return {
    home,
    environment,
    start(agent) {
      const all = { ...environment, ...agent.environment };
      const command = [inside, folder, agent.file, ...agent.args];
      const place = { mounts: [...ownProgramFor(command), ...mounts], folder: workspace.folder };
      if (engine === "bwrap") {
        return {
          command: bwrapLine(file, { ...place, mounts: [NODE, ...place.mounts] }, [
            process.execPath,
            ...command,
          ]),
          environment: { ...gateEnvironment(process.env), ...all },
        };
      }
      noteContainer(readModelPath, session, engine);
      const name = containerName(session);
      // The program in the container makes its home known.
      const { HOME: _, ...passed } = all;
      const { image = "", memory, pids } = settings;
      const variables = Object.keys(passed).sort();
      const args = containerArguments(
        { ...place, engine, name, image, variables, memory, pids, user: ownUser() },
        ["node", ...command.map((word) => (word === process.execPath ? "node" : word))],
      );
      return { command: { file, args }, environment: { ...withoutLogPassword(process.env), ...passed } };
    },
    async close() {
      try {
        await removeContainer(readModelPath, session);
        // Its last process is gone, and the loop's git comes next.
        removeSpecialFiles(top);
      } finally {
        await proxy.close();
      }
    },
  };
}

/** Wherever it was installed. */
const NODE: Mount = { path: process.execPath, how: "read" };

const ownUser = () => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });

/** What an agent's client needs of the outside. */
export interface Needs {
  /** Each as `host:port`, in small letters. */
  readonly hosts: readonly string[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
}

/**
 * The hosts that an agent may reach, and the variables that it gets: those of its client's model, also
 * behind another address, and those of the configuration.
 *
 * @throws ConfigError: an address without TLS, to which the proxy passes nothing on
 */
export function needsOf(program: AgentProgram, settings: Sandboxing, env: NodeJS.ProcessEnv): Needs {
  const client = program.kind === "command" ? undefined : clients[program.kind].sandbox;
  const { baseUrl } = client ?? {};
  const addresses = baseUrl !== undefined && env[baseUrl] ? [baseUrl] : [];
  const hosts = [
    ...(client?.hosts ?? []),
    ...addresses.map((name) => hostIn(name, env[name] ?? "")),
    ...settings.hosts,
  ];
  return {
    hosts: [...new Set(hosts.map((host) => (/:\d+$/.test(host) ? host : `${host}:443`)))],
    variables: [...new Set([...(client?.variables ?? []), ...addresses, ...settings.environment])],
  };
}

function hostIn(variable: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "https:") return `${url.hostname}:${url.port || 443}`;
  throw new ConfigError(
    `${variable} is "${address}", which an agent in a sandbox cannot reach: its proxy passes on TLS alone. Set it to an address that begins with https://.`,
  );
}
