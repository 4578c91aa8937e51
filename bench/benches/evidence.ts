import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginningOf } from "../../src/workspace/evidence/beginning.ts";
import { workSince } from "../../src/workspace/evidence/work.ts";
import { openWorkspace, withWorkspace } from "../../src/workspace/workspace.ts";
import { worktreeOf } from "../../src/workspace/worktree.ts";
import type { Bench } from "../lib/bench.ts";
import { cpuOf } from "../lib/cpu.ts";
import { atMost } from "../lib/goals.ts";
import { median } from "../lib/measure.ts";
import { formatTime } from "../lib/report.ts";

/** Evidence of a session in a worktree of a large repository, with the git processes that it starts. */
export const evidence: Bench = {
  name: "evidence",
  limit_s: 120,
  async run({ scratch, quick }) {
    const files = quick ? 5_000 : 50_000;
    const root = scratch.path("project");
    const git = (folder: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: folder,
        stdio: "ignore",
      });
    for (let nth = 0; nth < files; nth++) {
      const folder = join(root, `src/${nth % 250}`);
      if (nth < 250) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${nth}.ts`), `export const n${nth} = ${nth};\n`);
    }
    writeFileSync(join(root, "package.json"), '{"scripts":{"test":"node --test test/"}}');
    git(root, "init", "--quiet", "--initial-branch=main");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message=All");
    const { folder } = await worktreeOf(root, 1, { base: "main" });
    const kept = scratch.path("kept");
    const workspace = openWorkspace(folder, kept, []);
    const start = await workspace.look();
    if (!start) throw new Error("The worktree cannot be looked at.");
    const own = { task: 1, root, base: "main", fork: undefined };
    const checks = { protect: ["test/**"], makes: [], commands: ["npm test"], folder: "." };
    const begin = () => beginningOf(workspace, start, { own, checks });
    const began = await begin();
    writeFileSync(join(folder, "src/1/1.ts"), "export const changed = true;\n");
    git(folder, "commit", "--quiet", "--all", "--message=One");
    const seen = await workspace.look();
    const explained = async () => ({ landings: [], worked: [] });
    const rows = [
      await timed("git status", quick, async () => git(folder, "status", "--porcelain")),
      await timed("the look at all files that fingerprints need", quick, () => workspace.look()),
      await timed("at the start, after the look", quick, begin),
      await timed("at the end, after the look", quick, () =>
        workSince(began, workspace, { explained, seen, committed: true }),
      ),
      await timed("at done, with a look of its own", quick, () =>
        withWorkspace(folder, { also: kept }, (other) => workSince(began, other, { explained })),
      ),
    ];
    const [, , atStart, atEnd] = rows;
    const cpu = (atStart?.cpu ?? Number.NaN) + (atEnd?.cpu ?? Number.NaN);
    const time = (atStart?.time ?? Number.NaN) + (atEnd?.time ?? Number.NaN);
    return {
      title: `Evidence in a repository of ${files.toLocaleString("en")} files`,
      how: "A worktree of a task, one file changed and committed, warm cache. CPU is user and system time of all processes, in the mean; time is the median.",
      columns: ["", "time", "CPU"],
      rows: rows.map(({ name, time: one, cpu: used }) => [name, formatTime(one), formatTime(used)]),
      goals: [
        atMost("CPU for a session, at its start and end", cpu, 150, formatTime),
        atMost("time for a session, at its start and end", time, 1_000, formatTime),
      ],
    };
  },
};

async function timed(name: string, quick: boolean, run: () => Promise<unknown>) {
  const turns = quick ? 3 : 15;
  await run();
  const times: number[] = [];
  const before = cpuOf(process.pid).tree_ms;
  for (let turn = 0; turn < turns; turn++) {
    const since = performance.now();
    await run();
    times.push(performance.now() - since);
  }
  return { name, time: median(times), cpu: (cpuOf(process.pid).tree_ms - before) / turns };
}
