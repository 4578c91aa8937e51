/** The longest path of a Unix socket: `sun_path` has room for 108 bytes, on other systems for 104, with a zero at its end. */
const LIMIT_BYTES = process.platform === "linux" ? 107 : 103;

/** Why no socket can have this path; undefined if one can. */
export function pathFault(path: string): string | undefined {
  const bytes = Buffer.byteLength(path);
  if (bytes <= LIMIT_BYTES) return undefined;
  return `The path of the socket ${path} has ${bytes} bytes, and a socket's path can have ${LIMIT_BYTES}. Choose a shorter folder: set \`relay.folder\` in .ralph/config.json.`;
}
