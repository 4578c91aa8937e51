import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Appends to the file in `SIGNALBOX_FAILURES` the command that reruns each failed test, for the end of `.ci/run`. */
export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.SIGNALBOX_FAILURES;
    if (path === undefined) return;
    for (const module of modules.filter((one) => one.state() === "failed")) {
      const failed = [...module.children.allTests("failed")].map(patternOf);
      const command = commandFor(relative(process.cwd(), module.moduleId));
      // Without a failed test the file itself could not be run.
      for (const pattern of failed.length > 0 ? failed : [""]) appendFileSync(path, `${command}${pattern}\n`);
    }
  }
}

function commandFor(file: string): string {
  const config = file.endsWith(".real.ts") ? " --config test/clients/vitest.config.ts" : "";
  return `npx vitest run${config} ${file}`;
}

/** The option that chooses a test: vitest compares the names of its suites and its own, joined by blanks, with a regular expression. */
function patternOf(test: TestCase): string {
  const names = [test.name];
  for (let { parent } = test; parent.type === "suite"; parent = parent.parent) names.unshift(parent.name);
  const literal = names.join(" ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return ` --testNamePattern='${literal.replaceAll("'", "'\\''")}'`;
}
