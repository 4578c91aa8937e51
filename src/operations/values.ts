import { z } from "zod";
import { type TaskStatus, taskStatuses } from "../events/types/fields.ts";
import { type McpServers, mcpServers } from "../events/types/mcp-fields.ts";
import { parsedJson } from "../lib/json.ts";
import { inOurWords } from "../lib/wrong-values.ts";
import { BadValue } from "./command-words.ts";
import { toolName } from "./tool-names.ts";

/** Comma-separated names; an empty text for none. */
export function parseNames(text: string): string[] {
  return text === "" ? [] : text.split(",").map((part) => part.trim());
}

/** Numbers and ranges of them: `3,5-7`. @throws BadValue */
export function parseRanges(text: string): number[] {
  return parseNames(text).flatMap((part) => {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    const length = Number(to) - Number(from) + 1;
    if (!(length > 0 && length <= MOST_OF_RANGE))
      throw new BadValue("It must be numbers and ranges of them, such as 3,5-7.");
    return Array.from({ length }, (_, index) => Number(from) + index);
  });
}

const MOST_OF_RANGE = 1_000;

/** `completed` is an alias of `done` (docs/rules.md, Task statuses). @throws BadValue */
export function parseStatus(text: string): TaskStatus {
  const status = taskStatuses.find((known) => known === (text === "completed" ? "done" : text));
  if (!status) throw new BadValue(`It must be one of ${taskStatuses.join(", ")}.`);
  return status;
}

/**
 * Names of our tools without duplicates; an empty text for none. @throws BadValue with the nearest
 * name
 */
export function parseTools(text: string): string[] {
  const { data, error } = z.array(toolName).safeParse(parseNames(text), inOurWords);
  if (data) return [...new Set(data)];
  throw new BadValue(`It ${error.issues.map(({ message }) => message).join("; ")}.`);
}

/** Adds an MCP server, NAME=JSON, to those given before. @throws BadValue */
export function collectServer(text: string, before: McpServers = {}): McpServers {
  const [, name, json = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new BadValue(FORM);
  const { data, error } = mcpServers.safeParse(Object.fromEntries([[name, parsedJson(json)]]), inOurWords);
  // The schema ignores a field called __proto__.
  const server = data && Object.hasOwn(data, name) ? data[name] : undefined;
  if (server) return { ...before, [name]: server };
  const problem = error?.issues.find(({ code }) => code === "invalid_key");
  throw new BadValue(problem ? `${JSON.stringify(name)} ${NAME}` : FORM);
}

const NAME = "is not a server name; use at most 64 letters, digits, - and _.";
const FORM =
  'It must be NAME=JSON, where the JSON is a program to start, {"command":"npx","args":["-y","x"],"env":{"KEY":"…"}}, ' +
  'or an address, {"type":"http","url":"https://…","headers":{"Authorization":"…"}}.';
