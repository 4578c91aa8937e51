import type { Reporter, TestCase, TestModule } from "vitest/node";
import { versionOf } from "./real-client.ts";

/** Prints which client has done which case. docs/clients.md has the same table. */
export default class MatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = new Map<string, Record<string, string>>();
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const { client } = metaOf(test);
        if (client === undefined) continue;
        rows.set(test.name, { ...rows.get(test.name), [client]: markOf(test) });
      }
    const kinds = ["claude", "codex", "opencode", "gemini"] as const;
    if (rows.size === 0) return;
    console.log(`\n| case | ${kinds.map((kind) => `${kind} ${versionOf(kind)}`).join(" | ")} |`);
    console.log(`|---|${kinds.map(() => "---|").join("")}`);
    for (const [name, marks] of rows)
      console.log(`| ${name} | ${kinds.map((kind) => marks[kind] ?? "").join(" | ")} |`);
  }
}

function markOf(test: TestCase): string {
  if (metaOf(test).cannot) return "–";
  return test.result().state === "passed" ? "✓" : "✕";
}

function metaOf(test: TestCase): { client?: string; cannot?: string | null } {
  return test.meta() as { client?: string; cannot?: string | null }; // what client-cases.ts has put in
}
