import { z } from "zod";

/** What can keep an agent in a sandbox. */
export const sandboxEngines = ["docker", "podman", "bwrap"] as const;
export type SandboxEngine = (typeof sandboxEngines)[number];

/** The part `sandbox` of a configuration (docs/sandbox.md). */
export const sandboxSettings = z.strictObject({
  engine: z
    .enum(["none", ...sandboxEngines])
    .default("none")
    .describe("What keeps agents in a sandbox; --sandbox of signalbox run goes before it."),
  image: z
    .string()
    .max(500)
    .refine((image) => /^[a-z0-9][\w./:@-]*$/.test(image), {
      error: 'must be the name of an image, as in "agents/claude:3"',
    })
    .optional()
    .describe("The image for docker and podman. It must have node and the agent's program."),
  hosts: z
    .array(
      z
        .string()
        .max(260)
        .refine((host) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/.test(host), {
          error: 'must be a host in small letters, as in "api.example.org" or "llm.example.org:8443"',
        }),
    )
    .max(100)
    .default([])
    .describe("Hosts that agents may reach by TLS, besides that of their model. Default port: 443."),
  environment: z
    .array(
      z.string().refine((variable) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable), {
        error: "must be the name of a variable",
      }),
    )
    .max(100)
    .default([])
    .describe("Environment variables that agents get, besides those of their client's credentials."),
  mounts: z
    .array(
      z
        .string()
        .max(4_096)
        .refine((path) => /^~?\//.test(path), {
          error: "must be an absolute path, or one that begins with ~/",
        }),
    )
    .max(100)
    .default([])
    .describe(
      "Paths that agents can read, at the same place. With :rw at its end they can also write there.",
    ),
  memory: z
    .string()
    .refine((size) => /^[1-9]\d*[kmg]$/.test(size), { error: 'must be a size, as in "8g"' })
    .optional()
    .describe("Memory limit of a session, for docker and podman. Default: none."),
  pids: z
    .int()
    .min(16)
    .max(1_000_000)
    .optional()
    .describe("Maximum number of processes of a session, for docker and podman. Default: none."),
});
export type SandboxSettings = z.infer<typeof sandboxSettings>;
