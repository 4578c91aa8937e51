import { spawnSync } from "node:child_process";
import { initProject, readModelPathIn } from "../../src/api/project.ts";
import type { Bench } from "../lib/bench.ts";
import { atMost } from "../lib/goals.ts";
import { median, race } from "../lib/measure.ts";
import { addSession, addTasks } from "../lib/project.ts";
import { formatRatio, formatTime } from "../lib/report.ts";
import { program } from "../lib/server.ts";

/** What scripts, drivers and completion call again and again, and the most that it may take, beside a Node that does nothing. */
const GOALS: Readonly<Record<string, number>> = {
  ...{ next: 2.5, status: 2.5, "task list": 2.5, inbox: 2.5, "session list": 2.5, "log list": 2.5 },
  "signal flag --session bench --what x --severity info --category bug": 2.2,
  ...{ "--version": 1.3, "--help": 1.3 },
};
const TASKS = 1_000;

/** CPU of a command in milliseconds, by what the kernel counts of ended children. */
export const commands: Bench = {
  name: "commands",
  async run({ scratch, quick }) {
    const folder = scratch.path("project");
    await initProject(folder);
    await addSession(folder);
    await addTasks(folder, quick ? 10 : TASKS);
    const db = readModelPathIn(folder);
    const contestants = [
      { name: "node -e 0", run: () => cpuOfRun(["-e", "0"]) },
      ...Object.keys(GOALS).map((command) => ({
        name: command,
        run: () =>
          cpuOfRun([program(), ...command.split(" "), ...(command.startsWith("-") ? [] : ["--db", db])]),
      })),
    ];
    const plan = { rounds: 1, turns: quick ? 3 : 15, warmUp: 1 };
    const times = await race(plan, async () => ({ contestants }));
    const medians = times.map(({ name, rounds }) => ({ name, cpu_ms: median(rounds.flat()) }));
    const bare_ms = medians[0]?.cpu_ms ?? Number.NaN;
    return {
      title: "CPU of short commands",
      how: `User and system time of the whole process, of a project with ${quick ? 10 : TASKS} tasks; ${plan.turns} runs of each by turns.`,
      columns: ["", "median", "× the first"],
      rows: medians.map(({ name, cpu_ms }) => [name, formatTime(cpu_ms), formatRatio(cpu_ms / bare_ms)]),
      goals: medians
        .slice(1)
        .map(({ name, cpu_ms }) =>
          atMost(`${name} beside node -e 0`, cpu_ms / bare_ms, GOALS[name] ?? 0, formatRatio),
        ),
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
