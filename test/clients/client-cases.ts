import { test } from "vitest";
import type { ClientKind } from "../../src/config/schema.ts";
import { cases } from "./cases.ts";

/** Tries every case with a client, and says which it cannot do, and why. */
export function tryCases(kind: ClientKind): void {
  for (const { name, cannot, run } of cases) {
    const why = cannot?.[kind];
    test(name, async ({ task }) => {
      Object.assign(task.meta, { client: kind, cannot: why ?? null });
      if (why === undefined) await run(kind);
    });
  }
}
