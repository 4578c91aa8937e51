/*
 * The line that opens a connection to a relay: the client's side says it, and the relay repeats it, or
 * says why it refuses. So a relay's client passes on nothing to a socket of another program, and a
 * later protocol on the same socket can be told from this one by its first line.
 */

/** Changes with what follows the greeting. */
export const GREETING = "signalbox-relay 1";
const REFUSED = `${GREETING} refused: `;
/** The longest greeting with a reason, in bytes. */
export const GREETING_LIMIT_BYTES = 1_000;

/** The relay's answer where it refuses the connection. */
export function refusalLine(reason: string): string {
  return `${REFUSED}${reason.replace(/\s+/g, " ").slice(0, GREETING_LIMIT_BYTES / 4)}\n`;
}

/** The reason in a relay's first line; undefined if it refuses nothing. */
export function refusalIn(line: string): string | undefined {
  return line.startsWith(REFUSED) ? line.slice(REFUSED.length) : undefined;
}
