import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { type RelaySettings, relayOf, sandboxOf } from "../config/schema.ts";
import type { Store } from "../decisions/store.ts";
import { errorMessage } from "../lib/error-message.ts";
import { platform } from "../lib/platform/here.ts";
import { makePrivateFolder } from "../lib/private-folder.ts";
import { removeUnfinished, unfinishedPath } from "../lib/processes/unfinished-file.ts";
import type { Launch } from "../mcp/launch.ts";
import type { Relay } from "../mcp/relay/listen.ts";
import { pathFault } from "../mcp/relay/socket-path.ts";
import { PROXY_SOCKET, TOOLS_SOCKET } from "./sandbox-ports.ts";

/** The sockets of a driver, one for each session, in a folder that only those can enter who may connect. */
export interface Relays {
  newSocket(): SessionSocket;
}

/** The socket of one session, and copies of files that its agent reads. They go with it. */
export interface SessionSocket {
  readonly path: string;
  /** Its own, for a session in a sandbox, which sees all of it and no more. */
  readonly folder: string | undefined;
  /** @throws Error from the system */
  listen(
    launch: Launch,
    server: { readonly store: Store; readonly report: (error: unknown) => void },
  ): Promise<void>;
  /** The path by which the session's agent can read a file. @throws Error from the system */
  share(file: string): string;
  /** Resolves when no client is served any more. */
  close(): Promise<void>;
}

/**
 * Makes the folder of the sockets, and removes the sockets of killed drivers; undefined if the
 * configuration has no relay.
 *
 * @throws ConfigError: there can be no sockets in the folder; there is no such group, or we are not in it
 */
export function openRelays(config: RelayConfig): Relays | undefined {
  const settings = relayOf(config);
  if (!settings) return undefined;
  const group = settings.group === undefined ? undefined : groupNumber(settings.group);
  const folder = folderFor(settings, group);
  const isSandboxed = sandboxOf(config) !== undefined;
  const socket = unfinishedPath(join(folder, NAME));
  // The longest path.
  const fault = pathFault(isSandboxed ? join(socket, PROXY_SOCKET) : socket);
  if (fault !== undefined) throw new ConfigError(fault);
  makeFolder(folder, settings, group);
  removeUnfinished(folder);
  return { newSocket: () => (isSandboxed ? newSocketFolder(folder) : newSocket(folder, group)) };
}

type RelayConfig = Pick<Config, "relay"> & Partial<Pick<Config, "sandbox">>;

/** The names of sockets are long enough, since they cannot be guessed. */
const NAME = "s";

/** Ours alone in a folder of everybody's. */
function folderFor({ folder = platform().sockets.folder }: RelaySettings, group: number | undefined): string {
  const ids = [process.getuid?.() ?? 0, ...(group === undefined ? [] : [group])];
  return join(folder, `signalbox-${ids.join("-")}`);
}

function makeFolder(folder: string, { group: name }: RelaySettings, group: number | undefined): void {
  try {
    if (!existsSync(dirname(folder))) throw new Error(`There is no folder ${dirname(folder)}`);
    makePrivateFolder(folder);
    if (!platform().hasModes) return;
    if (lstatSync(folder).uid !== process.getuid?.()) throw new Error("It belongs to another user");
    if (group !== undefined) chownSync(folder, -1, group);
    // A name in it must be known: it cannot be listed.
    chmodSync(folder, group === undefined ? 0o700 : 0o710);
  } catch (cause) {
    const why = errorMessage(cause).replace(/\.$/, "");
    const mend = name === undefined ? "" : `; you must belong to the group ${name}`;
    throw new ConfigError(
      `The sockets of \`relay\` cannot be in ${folder}. ${why}. Set \`relay.folder\` to a folder in which you can make one of your own${mend}.`,
      { cause },
    );
  }
}

function groupNumber(name: string): number {
  if (!platform().hasModes)
    throw new ConfigError(`\`relay.group\` is "${name}", but this system has no such groups. Remove it.`);
  if (/^\d+$/.test(name)) return Number(name);
  const line = readFileSync("/etc/group", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${name}:`));
  const [, , number] = line?.split(":") ?? [];
  if (number !== undefined) return Number(number);
  throw new ConfigError(
    `\`relay.group\` is "${name}", and /etc/group has no such group. Name one of it, or a group's number.`,
  );
}

function newSocket(folder: string, group: number | undefined): SessionSocket {
  const path = platform().sockets.address(unfinishedPath(join(folder, NAME)));
  const copies: string[] = [];
  let relay: Relay | undefined;
  return {
    path,
    folder: undefined,
    async listen(launch, server) {
      // Most drivers need none of it.
      const { listenAt } = await import("../mcp/relay/listen.ts");
      relay = await listenAt(path, launch, server);
      if (group !== undefined) chownSync(path, -1, group);
      if (platform().hasModes) chmodSync(path, group === undefined ? 0o600 : 0o660);
    },
    share(file) {
      if (group === undefined) return file;
      const copy = unfinishedPath(join(folder, NAME));
      writeFileSync(copy, readFileSync(file), { flag: "wx", mode: 0o600 });
      copies.push(copy);
      chownSync(copy, -1, group);
      chmodSync(copy, 0o640);
      return copy;
    },
    async close() {
      await relay?.close();
      for (const copy of copies) rmSync(copy, { force: true });
    },
  };
}

/** In a folder of its own, with the copies. */
function newSocketFolder(parent: string): SessionSocket {
  const folder = unfinishedPath(join(parent, NAME));
  const path = join(folder, TOOLS_SOCKET);
  let relay: Relay | undefined;
  return {
    path,
    folder,
    async listen(launch, server) {
      makePrivateFolder(folder);
      const { listenAt } = await import("../mcp/relay/listen.ts");
      relay = await listenAt(path, launch, server);
    },
    share(file) {
      const copy = join(folder, basename(file));
      writeFileSync(copy, readFileSync(file), { flag: "wx", mode: 0o600 });
      return copy;
    },
    async close() {
      await relay?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Keeps what a session's server reports, up to a size, for people. */
export function keptReports(path: string): (error: unknown) => void {
  let room = REPORTS_LIMIT;
  return (error) => {
    const line = `${errorMessage(error).replace(/\s+/g, " ").slice(0, 500)}\n`;
    room -= line.length;
    if (room < 0) return;
    try {
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // The session goes on without it.
    }
  };
}

const REPORTS_LIMIT = 100_000;
