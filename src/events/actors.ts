import { visible } from "../lib/visible.ts";

/** The actor of every event from an agent's MCP server. Any other actor is a human or a driver. */
export const AGENT = "agent";

/** The actor of a human decision that gives no name. */
export const HUMAN = "human";

/** The actor of an answer given in a form of an agent's own client: by a human there, or by the agent itself. */
export const AGENT_CLIENT = "agent's client";

/** The programs that act by themselves: `driver`, and `driver:` with a name. */
export const PROGRAMS = ["driver", "signalbox"] as const;

/** A program that decides by the API and gives no name: with a colon and its own. */
export const PROGRAM = "program";

/**
 * True for a name that a person may sign with: fully visible, and not reserved for an agent or
 * driver.
 */
export function isNameOfPerson(name: string): boolean {
  const isReadable = name !== "" && name.length <= 100 && name === visible(name) && name === name.trim();
  return isReadable && !NAMES_OF_PROGRAMS.test(name);
}

const NAMES_OF_PROGRAMS = new RegExp(`^(${[AGENT, AGENT_CLIENT, PROGRAM, ...PROGRAMS].join("|")})(:|$)`, "i");
