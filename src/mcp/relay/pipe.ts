import { connect, type Socket } from "node:net";
import { userInfo } from "node:os";
import { platform } from "../../lib/platform/here.ts";
import { takeFirstLine } from "./first-line.ts";
import { GREETING, GREETING_LIMIT_BYTES, refusalIn } from "./greeting.ts";
import { pathFault } from "./socket-path.ts";

/**
 * Connects stdin and stdout to the relay that listens on a socket, until either side ends: the process
 * that a client starts in place of a server. It loads and knows nothing of the project.
 *
 * @returns the exit code: 0 the client has gone; 1 the driver ended the connection; 2 there is no such
 * relay, which stderr says
 */
export async function pipeTo(path: string): Promise<number> {
  const fault = faultAt(path);
  if (fault !== undefined) return complain(fault, UNUSABLE);
  const socket = connect({ path, allowHalfOpen: true });
  const error = await opened(socket);
  if (error) return complain(connectFault(path, error), UNUSABLE);
  socket.on("error", () => socket.destroy());
  const refused = await greet(socket, path);
  if (refused !== undefined) {
    socket.destroy();
    return complain(refused, UNUSABLE);
  }
  let clientGone = false;
  process.stdin.once("end", () => {
    clientGone = true;
  });
  // Every write after the reader has gone fails.
  process.stdout.on("error", () => {
    clientGone = true;
    socket.destroy();
  });
  process.stdin.pipe(socket);
  socket.pipe(process.stdout, { end: false });
  await new Promise((resolve) => socket.once("end", resolve).once("close", resolve));
  if (clientGone) return 0;
  return complain(
    `The driver ended the connection at ${path}: its session has ended, or the driver was stopped.`,
    1,
  );
}

const UNUSABLE = 2;
/** A driver that rebuilds its read model may take seconds to answer. */
const GREETING_MS = 60_000;

function faultAt(path: string): string | undefined {
  const long = pathFault(path);
  if (long !== undefined) return long;
  try {
    if (platform().sockets.isSocket(path)) return undefined;
    return `${path} is not a socket. \`--via\` takes the socket that \`signalbox run\` writes into the configuration of an agent's client.`;
  } catch (error) {
    return connectFault(path, error as NodeJS.ErrnoException);
  }
}

function opened(socket: Socket): Promise<Error | undefined> {
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(undefined)).once("error", resolve);
  });
}

function connectFault(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT")
    return `There is no socket ${path}: its session has ended, or the path is wrong. Each session has a socket of its own, which its driver makes and removes.`;
  if (code === "ECONNREFUSED")
    return `Nobody listens on ${path}: its driver was killed. The next \`signalbox run\` removes the socket and gives the task a new session.`;
  if (code === "EACCES" || code === "EPERM")
    return `User ${userName()} may not use ${path}. Let the driver share its sockets with a group of this user: set \`relay.group\` in .ralph/config.json.`;
  return `Cannot connect to ${path}: ${message}.`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** Why the other side is no relay for us; undefined if it is one. */
async function greet(socket: Socket, path: string): Promise<string | undefined> {
  socket.write(`${GREETING}\n`);
  const timeout = setTimeout(() => socket.destroy(), GREETING_MS);
  const line = await takeFirstLine(socket, GREETING_LIMIT_BYTES);
  clearTimeout(timeout);
  if (line === GREETING) return undefined;
  const reason = line === undefined ? undefined : refusalIn(line);
  if (reason !== undefined) return `The driver refused the connection at ${path}: ${reason}`;
  return `${path} does not answer as a relay of this version of signalbox. Use the program and the socket that \`signalbox run\` names to the agent's client.`;
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`signalbox mcp: ${message}\n`);
  return exitCode;
}
