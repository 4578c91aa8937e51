import { runCommand } from "../../../../src/gates/runner/run-command.ts";

/* run-one <folder> <command>: runs a command and prints its result, and the largest memory that this process had, in bytes. */
const [folder = "", command = ""] = process.argv.slice(2);
const result = await runCommand({
  command,
  folder,
  timeoutMs: 600_000,
  environment: { PATH: process.env.PATH ?? "" },
});
process.stdout.write(`${JSON.stringify({ result, memory: process.resourceUsage().maxRSS * 1_024 })}\n`);
