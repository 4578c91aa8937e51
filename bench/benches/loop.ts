import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { firstValueFrom, map, Subject } from "rxjs";
import { v4 } from "uuid";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { confirmConfig, inspectConfig } from "../../src/config/confirmed.ts";
import type { ClientKind } from "../../src/config/schema.ts";
import type { CommandLine } from "../../src/loop/agent/client.ts";
import { clients } from "../../src/loop/agent/clients.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { startModelServer } from "../../test/clients/model-server.ts";
import { realClients } from "../../test/clients/real-client.ts";
import type { Bench, Context } from "../lib/bench.ts";
import { type CpuTime, cpuOf, treeOf } from "../lib/cpu.ts";
import { atMost } from "../lib/goals.ts";
import { median, race } from "../lib/measure.ts";
import { formatTime } from "../lib/report.ts";
import { program } from "../lib/server.ts";

/** What `signalbox run` costs on the way to the model's first request. */
export const loop: Bench = {
  name: "loop",
  async run(context) {
    const kinds = (["claude", "codex", "opencode", "gemini"] as const).filter((kind) =>
      existsSync(realClients[kind].program),
    );
    const plan = { rounds: 1, turns: context.quick ? 3 : 10, warmUp: 1 };
    const rows: string[][] = [];
    const goals = [];
    for (const kind of kinds) {
      const own: number[] = [];
      const home = context.scratch.path(`${kind}-home`);
      mkdirSync(home);
      const [byHand, byRun] = await race(plan, async () => ({
        contestants: [
          { name: "by hand", run: async () => (await startByHand(kind, home, context)).tree_ms },
          {
            name: "run",
            run: async () => {
              const { tree_ms, own_ms } = await startByRun(kind, home, context);
              own.push(own_ms);
              return tree_ms;
            },
          },
        ],
      }));
      const [hand, run] = [byHand, byRun].map((times) => median(times?.rounds.flat() ?? []));
      const more = (run ?? Number.NaN) - (hand ?? Number.NaN);
      const times = [hand, run, more, median(own)].map((time) => formatTime(time ?? Number.NaN));
      rows.push([kind, ...times, String(plan.turns)]);
      goals.push(atMost(`${kind}: CPU more than by hand`, more, 300, formatTime));
    }
    const missing =
      kinds.length < 4
        ? " Clients that are not there were left out: `npm run test:clients` installs them."
        : "";
    return {
      title: "CPU of `run`, to the model's first request",
      how: `The same real client with the same prompt, flags and MCP configuration, started by hand and by \`signalbox run --once\`, by turns, each in a new project; CPU time, user and system, of the process with all that it started, from its start to the first request of its agent that reaches a scripted model on loopback. Medians.${missing}`,
      columns: ["", "by hand", "signalbox run", "more", "run's own process", "turns"],
      rows,
      goals,
    };
  },
};

interface Place {
  readonly folder: string;
  readonly db: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A project with one task, whose agents ask the model at `url`. */
async function makePlace(kind: ClientKind, home: string, url: string, { scratch }: Context): Promise<Place> {
  const client = realClients[kind];
  const folder = scratch.path("project");
  await initProject(folder);
  const db = readModelPathIn(folder);
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    SIGNALBOX_STATE: join(home, "state"),
    ...client.environment(home, url),
  };
  const agent = { kind, command: client.program, permissions: "edit" };
  writeFileSync(
    join(folder, ".ralph", "config.json"),
    JSON.stringify({ agent: kind, agents: { [kind]: agent } }),
  );
  confirmConfig(inspectConfig(db, environment));
  const project = await openProject(folder);
  await project.decide(createTask({ title: "Measured by the benches" }));
  await project.queries.project();
  await project.close();
  return { folder, db, environment };
}

function startByRun(kind: ClientKind, home: string, context: Context): Promise<CpuTime> {
  return untilAsked(async (url) => {
    const { folder, environment } = await makePlace(kind, home, url, context);
    return spawn(process.execPath, [program(), "run", "--once"], {
      cwd: folder,
      env: environment,
      stdio: "ignore",
    });
  });
}

/** As somebody does who knows what `run` does: the session is started and the prompt written beforehand, and not measured. */
function startByHand(kind: ClientKind, home: string, context: Context): Promise<CpuTime> {
  return untilAsked(async (url) => {
    const place = await makePlace(kind, home, url, context);
    const { session, mcp_config, ...launched } = JSON.parse(
      await printed(place, "launch", "task_execution", "--task", "1", "--json"),
    );
    const promptFile = join(place.folder, ".ralph", "prompt.md");
    writeFileSync(promptFile, await printed(place, "prompt", "1", "--session", session));
    const { mcpServers: servers } = JSON.parse(readFileSync(mcp_config, "utf8"));
    const run = join(place.folder, ".ralph", "by-hand");
    mkdirSync(run);
    const line: CommandLine = clients[kind].launch(
      { kind, command: realClients[kind].program, args: [] },
      {
        ...{ task: 1, session, folder: run, promptFile, mcpConfig: mcp_config, servers },
        ...{ conversation: v4(), model: undefined, budgetUsd: undefined, permissions: "edit" },
        environment: place.environment,
      },
    );
    const input = openSync(promptFile, "r");
    const child = spawn(line.file, line.args, {
      cwd: place.folder,
      env: { ...place.environment, ...launched.env, ...line.environment },
      stdio: [input, "ignore", "ignore"],
    });
    closeSync(input);
    return child;
  });
}

/** Starts a process, lets it run until an agent of it asks the model for the first time, and ends it. */
async function untilAsked(start: (url: string) => Promise<ChildProcess>): Promise<CpuTime> {
  const asked = new Subject<void>();
  const model = await startModelServer([[{ hangs: true }]], () => asked.next());
  const child = await start(model.url);
  const ended = once(child, "exit");
  const used = firstValueFrom(asked.pipe(map(() => cpuOf(child.pid ?? 0))));
  const early = ended.then(([code]) => {
    throw new Error(`${child.spawnargs.slice(0, 3).join(" ")} ended with ${code} before it asked the model.`);
  });
  const result = await Promise.race([used, early]);
  early.catch(() => undefined);
  // Nothing of what it would do at its end is measured.
  for (const pid of treeOf(child.pid ?? 0)) endNow(pid);
  await ended;
  await model.close();
  return result;
}

function endNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

async function printed({ folder, environment }: Place, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program(), ...args], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return text(child.stdout);
}
