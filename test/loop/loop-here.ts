import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defer, Subject } from "rxjs";
import { onTestFinished } from "vitest";
import { initProject, openProject, type Project, readModelPathIn } from "../../src/api/project.ts";
import { parseConfig } from "../../src/config/config.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import type { LoopResult } from "../../src/loop/loop-options.ts";
import { runLoop } from "../../src/loop/run.ts";
import type { Step } from "../../src/loop/steps.ts";
import { createTask, type NewTask } from "../../src/operations/tasks.ts";
import { freshFolder } from "../support/project.ts";

/** A loop in this process, whose waits take no time: its clock is the test's. */
export interface LoopHere {
  readonly project: Project;
  /** How long the loop has waited so far, in milliseconds. */
  waited_ms(): number;
  /** What every session of its agent prints from now on, as lines of JSON (docs/clients.md#another-program). */
  says(...lines: readonly object[]): void;
  /** Runs the loop to its end. `onWait` is called before each part of a wait; what it gives ends the loop, by a signal. */
  run(onWait?: () => Promise<string | undefined>): Promise<LoopResult & { readonly steps: readonly Step[] }>;
}

export async function loopHere(tasks: readonly NewTask[] = [{ title: "Export" }]): Promise<LoopHere> {
  const folder = freshFolder();
  const script = join(folder, "agent.sh");
  const output = join(folder, "says.jsonl");
  // By the machine's clock, and the time that was waited.
  let waited_ms = 0;
  const system = systemEnvironment();
  const environment = { ...system, now: () => system.now() + waited_ms * 1_000, jitter: () => 0.5 };
  await initProject(folder, { environment });
  const project = await openProject(folder, { environment, actor: "driver" });
  onTestFinished(() => project.close());
  for (const task of tasks) await project.decide(createTask(task));
  writeFileSync(script, `cat '${output}'\n`);
  const says = (...lines: readonly object[]) =>
    writeFileSync(output, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  says();
  const config = parseConfig(
    { agent: "sh", agents: { sh: { kind: "command", command: `sh '${script}'` } } },
    "",
  );
  let runs = 0;
  return {
    project,
    waited_ms: () => waited_ms,
    says,
    async run(onWait) {
      const steps: Step[] = [];
      const finish = new Subject<string>();
      runs += 1;
      const result = await runLoop(project, {
        readModelPath: readModelPathIn(folder),
        config,
        driver: `d-${runs}`,
        finish,
        cancel: new Subject<string>(),
        tell: (step) => steps.push(step),
        after: (ms) =>
          defer(async () => {
            const reason = await onWait?.();
            if (reason !== undefined) finish.next(reason);
            else waited_ms += ms;
          }),
      });
      return { ...result, steps };
    },
  };
}
