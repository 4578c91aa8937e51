import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { packagePath } from "../../src/lib/package-root.ts";

const condition = z.strictObject({
  condition: z.enum(["service_completed_successfully", "service_healthy"]),
});

const service = z.strictObject({
  image: z.enum(["postgres:17", "signalbox"]),
  entrypoint: z.array(z.string()),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  depends_on: z.record(z.string(), condition).default({}),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), retries: z.number() })
    .optional(),
  /** The image is built here: a registry's image of that name is another one. */
  pull_policy: z.literal("never").optional(),
  user: z.string().optional(),
  restart: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  init: z.boolean().optional(),
  hostname: z.string().optional(),
  stop_signal: z.string().optional(),
  stop_grace_period: z.string().optional(),
});

/** A service of examples/fleet/compose.yaml. */
export type Service = z.infer<typeof service>;

const compose = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.strictObject({})),
});

/** examples/fleet/compose.yaml. @throws if it has a key that its tests do not know */
export function composeFile(): z.infer<typeof compose> {
  return compose.parse(
    parse(readFileSync(packagePath("examples/fleet/compose.yaml"), "utf8"), { merge: true }),
  );
}
