import { z } from "zod";

/** Where a secret is kept: never in the configuration itself, which travels with git. */
export const secretSource = z.union([
  z.strictObject({
    env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of a variable" })
      .describe("The environment variable that has it."),
  }),
  z.strictObject({
    file: z
      .string()
      .max(4_096)
      .regex(/^\//, { error: "must be an absolute path" })
      .describe("The file that has it."),
  }),
]);
export type SecretSource = z.infer<typeof secretSource>;
