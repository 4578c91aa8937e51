import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { runCommand } from "../../../../src/gates/runner/run-command.ts";
import { withWorkspaceLock } from "../../../../src/gates/runner/workspace-lock.ts";

/*
 * take-turns <folder> <journal> <turns> [command]: prints "ready", waits for a line, then takes the lock so many times. Each time it
 * writes "in" and "out" into the journal, and in between runs the command, or waits a little. It prints whom it waits for.
 */
const [folder = "", journal = "", turns = "1", command] = process.argv.slice(2);
const note = (word: string) => appendFileSync(journal, `${word} ${process.pid}\n`);
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.destroy();
for (let turn = 1; turn <= Number(turns); turn++) {
  await withWorkspaceLock(
    folder,
    async () => {
      note("in");
      if (command === undefined) await delay(2);
      else
        await runCommand({
          command,
          folder,
          timeoutMs: 600_000,
          environment: { PATH: process.env.PATH ?? "" },
        });
      note("out");
    },
    {
      purpose: `turn ${turn}`,
      onWait: (holder) => process.stdout.write(`${JSON.stringify(holder ?? null)}\n`),
    },
  );
}
