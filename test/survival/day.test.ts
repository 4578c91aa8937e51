import { expect } from "vitest";
import { initProject, openProject, readModelPathIn } from "../../src/api/project.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { everythingIn, temporaryFolder } from "../events/given.ts";
import { type AgentServer, memoryOf, processorTimeOf, startServer } from "./agent-server.ts";
import { callsOfADay } from "./calls-of-a-day.ts";
import { campaign } from "./campaign.ts";

/*
 * Catches: a query or a reducer whose work grows with the signals of a session or a task, answers or subscriptions that
 * are kept although nobody needs them any more.
 *
 * Time is the processor's, and windows of one process are compared with each other: how fast the machine is, and what
 * else it does, does not matter much.
 */

/** The day is cut into windows of so many calls; each is a point. */
const WINDOWS = 10;
const WINDOW = process.env.SIGNALBOX_LONG === "day" ? 10_000 : 500;
/** Calls that are under way at once, as of an agent that uses several tools in one turn. */
const AT_ONCE = 4;
const TIME_GROWTH_LIMIT = 1.7;
const MEMORY_GROWTH_LIMIT_MB = 60;
const TASK = 1;
const SESSION = "s-1";

interface Day {
  readonly server: AgentServer;
  readonly folder: ReturnType<typeof temporaryFolder>;
  readonly windows: Window[];
}

interface Window {
  /** Of the server's processor, for each call. */
  readonly microseconds: number;
  /** What the server has in memory at the end. */
  readonly mb: number;
  readonly recorded: number;
}

campaign<Day>({
  line: "day",
  promise:
    "a session as long as a day, with one server process, takes no more time and memory for a call at its end than at its beginning",
  small: 10,
  large: 10,
  async open() {
    const folder = temporaryFolder();
    await initProject(folder.path);
    const project = await openProject(folder.path);
    await project.decide(createTask({ title: "Export as CSV" }));
    await project.decide(startSession({ task: TASK, session: SESSION }));
    await project.close();
    const server = await startServer({ task: TASK, session: SESSION, db: readModelPathIn(folder.path) });
    return { server, folder, windows: [] };
  },
  async close({ server, folder }) {
    server.process.kill("SIGKILL");
    await server.closed;
    folder.remove();
  },
  async point(number, { server, folder, windows }) {
    // When a long run is taken up again the day begins again too: a process has no past in another one.
    while (windows.length <= number) windows.push(await spend(server, windows.length));
    if (number === WINDOWS - 1) {
      compare(windows);
      await compareWithLog(folder.path, windows);
    }
    const { microseconds = 0, mb = 0, recorded = 0 } = windows[number] ?? {};
    return {
      calls: WINDOW,
      recorded,
      [`window_${number}_microseconds`]: Math.round(microseconds),
      [`window_${number}_mb`]: Math.round(mb),
    };
  },
});

/** Sends the calls of a window, and sees each of them answered as it must be. */
async function spend(server: AgentServer, number: number): Promise<Window> {
  const before = processorTimeOf(server.process);
  const calls = callsOfADay(number, WINDOW);
  let recorded = 0;
  for (let next = 0; next < calls.length; next += AT_ONCE) {
    const group = calls
      .slice(next, next + AT_ONCE)
      .map((call, index) => ({ ...call, id: `${number}-${next + index}` }));
    await server.write(
      group
        .map(({ id, name, args }) => ({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name, arguments: args, _meta: { "claudecode/toolUseId": id } },
        }))
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(""),
    );
    for (const { id, legal } of group) {
      const { result } = await server.answered(id);
      expect(result?.isError === true, result?.content?.[0]?.text).toBe(!legal);
      if (legal) recorded += 1;
    }
  }
  const seconds = processorTimeOf(server.process) - before;
  return { microseconds: (seconds / WINDOW) * 1e6, mb: memoryOf(server.process).now, recorded };
}

/** Late windows with early ones; the first is passed over, since code is compiled and caches are filled in it. */
function compare(windows: readonly Window[]): void {
  const time = (from: number, to: number) =>
    mean(windows.slice(from, to).map(({ microseconds }) => microseconds));
  const shown = windows
    .map(({ microseconds, mb }) => `${Math.round(microseconds)} µs a call, ${Math.round(mb)} MB`)
    .join("; ");
  expect(time(-2, WINDOWS) / time(1, 3), `growth of processor time: ${shown}`).toBeLessThan(
    TIME_GROWTH_LIMIT,
  );
  const grown = (windows.at(-1)?.mb ?? 0) - (windows.at(WINDOWS / 2 - 1)?.mb ?? 0);
  expect(grown, `MB of growth in the second half: ${shown}`).toBeLessThan(MEMORY_GROWTH_LIMIT_MB);
}

/** Every call that was answered so is in the log, once. */
async function compareWithLog(folder: string, windows: readonly Window[]): Promise<void> {
  const project = await openProject(folder);
  try {
    const events = await everythingIn(project.log);
    const reports = events.filter(
      ({ type }) => type.startsWith("signal.") || type === "session.state_reported",
    );
    expect(reports.length).toBe(windows.reduce((sum, { recorded }) => sum + recorded, 0));
  } finally {
    await project.close();
  }
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
