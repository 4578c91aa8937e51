import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { shorten } from "../../src/lib/shorten.ts";

/**
 * Appends to the file in `SIGNALBOX_FAILURES` a line for each failed test, for the end of `.ci/run`: the command that reruns it, and
 * after a `#` what was wrong.
 */
export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.SIGNALBOX_FAILURES;
    if (path === undefined) return;
    for (const module of modules.filter((one) => one.state() === "failed")) {
      const failed = [...module.children.allTests("failed")].map(
        (one) => patternOf(one) + wrongIn(one.result().errors),
      );
      const command = commandFor(relative(process.cwd(), module.moduleId));
      // Without a failed test the file itself could not be run.
      for (const pattern of failed.length > 0 ? failed : [wrongIn(module.errors())])
        appendFileSync(path, `${command}${pattern}\n`);
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

/** What the first error says, and where expected and received differ, on one line. */
function wrongIn([first]: readonly SerializedError[] = []): string {
  if (!first) return "";
  const [message = ""] = plainLines(first.message);
  const differing = plainLines(String(first.diff ?? "")).filter((line) =>
    /^[-+] (?!Expected|Received)/.test(line),
  );
  return ` # ${shorten([message, ...differing].join(" ").replace(/\s+/g, " "), 400)}`;
}

function plainLines(text: string): string[] {
  return stripVTControlCharacters(text).split("\n");
}
