// @ts-check
import { z } from "zod";

/**
 * @typedef {{ readonly name: string, readonly mcpName: string, readonly version: string, readonly license: string,
 *   readonly keywords: readonly string[], readonly engines: { readonly node: string } }} Package our package.json
 */

/**
 * What the MCP registry is told of the package. Its clients run `npx signalbox@VERSION mcp` with the two variables.
 *
 * @param {Package} of
 * @throws {z.ZodError} if it is not as the registry wants it
 */
export function serverJsonOf({ name, mcpName, version }) {
  return serverJson.parse({
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: "signalbox",
    description: "Tasks, signals and learnings of autonomous coding agents, in an event log with a board.",
    version,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
        environmentVariables: [
          variable("RALPH_DB_PATH", "The project's .ralph/db/ralph.db"),
          variable("RALPH_CONTEXT", "The project's .ralph/mcp/context.json"),
        ],
      },
    ],
  });
}

/**
 * @param {string} name
 * @param {string} description
 */
function variable(name, description) {
  return { name, description, format: "filepath", isRequired: true };
}

const version = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.-]+)?$/, "must be one exact version, such as 1.2.3");

/**
 * The parts that we use of the format that the registry publishes at `$schema`: each with its limits there, and nothing else, so
 * that a misspelt field is found.
 */
const serverJson = z.strictObject({
  $schema: z.url(),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  packages: z.array(
    z.strictObject({
      registryType: z.enum(["npm", "pypi", "oci", "nuget", "mcpb"]),
      identifier: z.string().min(1),
      version,
      runtimeHint: z.string(),
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z.array(z.strictObject({ type: z.literal("positional"), value: z.string() })),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          format: z.enum(["string", "number", "boolean", "filepath"]),
          isRequired: z.boolean(),
        }),
      ),
    }),
  ),
});
