import { spawnSync } from "node:child_process";
import { initProject, readModelPathIn } from "../../src/project/project.ts";
import type { Bench } from "../lib/bench.ts";
import { atMost } from "../lib/goals.ts";
import { median, race } from "../lib/measure.ts";
import { addSession } from "../lib/project.ts";
import { formatRatio, formatTime } from "../lib/report.ts";
import { program } from "../lib/server.ts";

const COMMANDS = ["next", "status", "task list", "inbox", "session list", "log list --limit 5"];

/** CPU of a command in milliseconds, by what the kernel counts of ended children. */
export const commands: Bench = {
  name: "commands",
  async run({ scratch, quick }) {
    const folder = scratch.path("project");
    await initProject(folder);
    await addSession(folder);
    const db = readModelPathIn(folder);
    const contestants = [
      { name: "node -e 0", run: () => cpuOfRun(["-e", "0"]) },
      ...COMMANDS.map((command) => ({
        name: `signalbox ${command}`,
        run: () => cpuOfRun([program(), ...command.split(" "), "--db", db]),
      })),
    ];
    const plan = { rounds: 1, turns: quick ? 3 : 15, warmUp: 1 };
    const times = await race(plan, async () => ({ contestants }));
    const medians = times.map(({ name, rounds }) => ({ name, cpu_ms: median(rounds.flat()) }));
    const bare_ms = medians[0]?.cpu_ms ?? Number.NaN;
    return {
      title: "CPU of short commands",
      how: `User and system time of the whole process, of a project with one task; ${plan.turns} runs of each by turns.`,
      columns: ["", "median", "× the first"],
      rows: medians.map(({ name, cpu_ms }) => [name, formatTime(cpu_ms), formatRatio(cpu_ms / bare_ms)]),
      goals: medians
        .slice(1)
        .map(({ name, cpu_ms }) => atMost(`${name} beside node -e 0`, cpu_ms / bare_ms, 2, formatRatio)),
    };
  },
};

/** User and system time, which `time` of the shell tells in seconds: Node has no figure of one child. */
function cpuOfRun(args: readonly string[]): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
  const { stderr, status } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}.`);
  return stderr
    .trim()
    .split(" ")
    .reduce((sum, seconds) => sum + Number(seconds) * 1_000, 0);
}
