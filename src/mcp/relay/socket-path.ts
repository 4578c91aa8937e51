import { platform } from "../../lib/platform/here.ts";

/** Why no socket can have this path; undefined if one can. */
export function pathFault(path: string): string | undefined {
  const bytes = Buffer.byteLength(path);
  const limit_bytes = platform().sockets.limit_bytes;
  if (bytes <= limit_bytes) return undefined;
  return `The path of the socket ${path} has ${bytes} bytes, and a socket's path can have ${limit_bytes}. Choose a shorter folder: set \`relay.folder\` in .ralph/config.json.`;
}
