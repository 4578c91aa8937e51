import { z } from "zod";
import { redactedAs, structural } from "./structure.ts";

/** MCP tool names: bare snake_case, at most 64 characters. */
export const toolNames = z
  .array(
    structural(
      z.string().regex(/^[a-z][a-z_]{0,63}$/, { error: "must be the name of a tool, such as create_task" }),
    ),
  )
  .max(200);

const serverName = structural(
  z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must be a name of letters, digits, - and _" }),
);

const short = z.string().max(4_096);

/** One server as MCP clients configure it: a program to start, or an address. */
const mcpServer = z.union([
  z.strictObject({
    command: short.min(1),
    args: z.array(short).max(100).optional(),
    env: z.record(short, short).optional(),
  }),
  z.strictObject({
    type: z.enum(["http", "sse"]),
    url: redactedAs("https://redacted.invalid/", z.url().max(4_096)),
    headers: z.record(short, short).optional(),
  }),
]);

/** Servers by their names. */
export const mcpServers = z.record(serverName, mcpServer);
export type McpServers = z.infer<typeof mcpServers>;
