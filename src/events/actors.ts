import { visible } from "./visible.ts";

/** The actor of everything that comes through an agent's MCP server; what has another actor came from a human or a driver. */
export const AGENT = "agent";

/** The actor of what a human decides, where nobody says a name. */
export const HUMAN = "human";

/** True for what a person can decide and sign as: a name that everybody sees as it is, and that is nobody's but a person's. */
export function isNameOfPerson(name: string): boolean {
  const isReadable = name !== "" && name.length <= 100 && name === visible(name) && name === name.trim();
  return isReadable && !NAMES_OF_PROGRAMS.test(name);
}

const NAMES_OF_PROGRAMS = /^(agent|driver|signalbox)(:|$)/i;
