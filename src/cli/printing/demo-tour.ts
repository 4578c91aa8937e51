import { relative } from "node:path";
import { packagePath } from "../../lib/package-root.ts";

/** What the demo ends with: commands to run on the project in the folder. They are indented. */
export function demoTour(folder: string, cwd = process.cwd()): string[] {
  const where = relative(cwd, folder) || ".";
  const program = relative(folder, packagePath("bin/signalbox.js"));
  const command = (args: string) => `  node ${program} ${args}`;
  return [
    `\nThe demo project is in ${where}. Look around:`,
    `  cd ${where}`,
    ...["status", "inbox", "log", "task list"].map(command),
    "\nAdd a task of your own:",
    command("task add 'Try signalbox'"),
    "\nOr open it in a browser, at the address that this prints:",
    command("serve"),
  ];
}
