import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Writes down, for the end of `.ci/run`, how to run each test that failed, in the file of `SIGNALBOX_FAILURES`. */
export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.SIGNALBOX_FAILURES;
    if (path === undefined) return;
    for (const module of modules.filter((one) => one.state() === "failed")) {
      const failed = [...module.children.allTests("failed")].map(({ fullName }) => ` -t ${quoted(fullName)}`);
      const file = relative(process.cwd(), module.moduleId);
      // Without a failed test the file itself could not be run.
      for (const name of failed.length > 0 ? failed : [""])
        appendFileSync(path, `${commandFor(file)}${name}\n`);
    }
  }
}

function commandFor(file: string): string {
  const config = file.endsWith(".real.ts") ? " --config test/clients/vitest.config.ts" : "";
  return `npx vitest run${config} ${file}`;
}

/** For a shell; vitest takes names for regular expressions. */
function quoted(name: string): string {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return `'${literal.replaceAll(" > ", " ").replaceAll("'", "'\\''")}'`;
}
