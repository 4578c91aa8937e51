import { pipeTo } from "../../mcp/relay/pipe.ts";

/** Connects a client to the session that a driver serves on a socket; ends the process. */
export async function via(socket: string): Promise<void> {
  const exitCode = await pipeTo(socket);
  // What was read of the socket is written before the process ends; a reader that does not read is given up.
  setTimeout(() => process.exit(exitCode), SLOW_READER_MS);
  process.stdout.write("", () => process.exit(exitCode));
}

const SLOW_READER_MS = 2_000;
