import { z } from "zod";

/** What the provider's answer must fit. The browser that began the login keeps it, and nobody else knows it. */
export const loginChecks = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string() });
export type LoginChecks = z.infer<typeof loginChecks>;
