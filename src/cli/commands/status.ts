import type { Command } from "commander";
import type { Project } from "../../api/project.ts";
import { clockLead, describeClockLead } from "../../events/clock-lead.ts";
import { taskStatuses } from "../../events/types/fields.ts";
import { counted } from "../../lib/readable.ts";
import { pc, print, printJson, quoteLine } from "../../lib/terminal/output.ts";
import { toSeconds } from "../../lib/time.ts";
import { seenLoops } from "../../loop/drivers/loop-signs.ts";
import { untrustedLog } from "../../loop/trust.ts";
import { itemLines } from "../../operations/inbox-list.ts";
import { repetitionLine } from "../../operations/repetition-line.ts";
import { toApprove } from "../../operations/to-approve.ts";
import { pauseLine } from "../../operations/work.ts";
import type { FleetView } from "../../outside/fleet/view.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import {
  inLoopWords,
  LOOP_LOOKS,
  type LoopState,
  type SeenLoop,
  viewLoops,
} from "../../queries/labels/loop-words.ts";
import { phaseLooks } from "../../queries/labels/phases.ts";
import { stoppedProjections } from "../../queries/overview.ts";
import type { TaskBrief } from "../../queries/tasks.ts";
import { isInReach } from "../../read-model/ask.ts";
import { describeKept, keptHistories } from "../../read-model/other-history.ts";
import { MEND_OWN } from "../../read-model/own.ts";
import { filesTracked, trackedMend, trackedWords } from "../../workspace/own-files.ts";
import { type CommonOptions, folderOf, guarded, readingOptions, withProject } from "../making/command.ts";
import { faultLines, hostLines, serverLines } from "../printing/fleet-lines.ts";
import { fleetWatchOf } from "../running/fleet-watch.ts";

/** Written for commander: prints several answers, each cut to a screen. */
export function addStatus(program: Command): void {
  readingOptions(
    program
      .command("status")
      .description("show the board: running sessions, your inbox, next and waiting tasks"),
  )
    .addHelpText("after", "\nExample:\n  signalbox status")
    .action((options: CommonOptions) =>
      guarded(async () => {
        // The past has no servers.
        const watch = options.at === undefined ? await fleetWatchOf(options) : undefined;
        void watch?.begin();
        await withProject({ ...options, mayLag: true }, async (project) => {
          const [fleet, found] = await Promise.all([
            watch?.look(project.store),
            lookAt(project, folderOf(options)),
          ]);
          const board = { ...found, ...(await lookAtLoops(project, found, options, fleet)) };
          if (options.json) printJson(fleet ? { ...board, fleet } : board);
          else await show(board, project, folderOf(options), fleet);
        });
      }),
    );
}

type BoardView = Awaited<ReturnType<typeof lookAt>> & Awaited<ReturnType<typeof lookAtLoops>>;

/** How many of each list are told; how many there are in all, `totals` has. */
const TOLD = 100;

async function lookAt(project: Project, folder: string) {
  const { log, queries, store, asOf } = project;
  // What waits for nothing else says first whether the log answers.
  const isReached = await isInReach(log);
  const stopped = await project.ask(stoppedProjections);
  const isFleet = (await queries.hosts()).length > 1;
  return {
    events: isReached ? await log.head() : store.readModel.position(),
    clock_lead: (isReached && (await clockLead(log, store.environment.now()))) || null,
    untrusted_log: asOf || !isReached ? null : await untrustedLog(store),
    tracked: asOf ? [] : await filesTracked(folder),
    paused: (await queries.workPause()) ?? null,
    replaced: keptHistories(store.readModel.database.name).map(describeKept),
    counts: await queries.taskCounts(),
    running: (await queries.sessions({ open: true })).map(
      ({ id, task_id, current_state, started_at, host }) => ({
        session: id,
        task: task_id,
        state: current_state,
        started_at,
        ...(isFleet && { host }),
      }),
    ),
    inbox: await queries.inbox({ limit: TOLD }),
    next: await Promise.all(
      (await queries.briefTasksThat("areReady", TOLD)).map(async (task) => ({
        ...nameOf(task),
        /** The task in work beside which no loop starts it. */
        same_files_as: (await queries.taskInTheWay(task.id)) ?? null,
      })),
    ),
    waiting: (await queries.briefTasksThat("wait", TOLD)).map((task) => ({
      ...nameOf(task),
      open_dependencies: task.open_dependencies,
      unapproved_gates: task.unapproved_gates,
      held_at: task.held_at,
    })),
    repeating: await queries.repeatingTasks(),
    failed: (await queries.briefTasksThat("haveFailed", TOLD)).map(nameOf),
    totals: {
      inbox: await queries.inboxCount(),
      next: await queries.countTasksThat("areReady"),
      waiting: await queries.countTasksThat("wait"),
      failed: await queries.countTasksThat("haveFailed"),
    },
    stopped,
  };
}

/** The loops that run, and the one that ended last. The past has no processes: there they run as long as the log says so. */
async function lookAtLoops(
  { queries, store }: Project,
  { paused, totals }: Pick<Awaited<ReturnType<typeof lookAt>>, "paused" | "totals">,
  { at }: CommonOptions,
  fleet: FleetView | undefined,
) {
  const running = await queries.runningLoops();
  const loops =
    at === undefined
      ? seenLoops(store, running, fleet?.hosts)
      : running.map((loop): SeenLoop => ({ ...loop, sign: "unknown" }));
  const last = (await queries.lastStoppedLoop()) ?? null;
  const around = { paused, ready: totals.next, now: store.environment.now() };
  const { live, ended } = viewLoops({ loops, last }, around);
  return {
    loops: live.map(({ driver, agent, jobs, waits_for, waits_until, state, until, why }) => ({
      ...{ driver, agent, jobs, waits_for, waits_until, state, until, why },
    })),
    /** The loop that ended last; `at` is null if it died. */
    last_loop: ended,
  };
}

function nameOf({ id, title, priority, feature, depends_on }: TaskBrief) {
  return { id, title, priority, feature, depends_on };
}

const SHOWN = 8;

async function show(
  board: BoardView,
  { queries }: Project,
  folder: string,
  fleet: FleetView | undefined,
): Promise<void> {
  const counts = taskStatuses.flatMap((status) => {
    const count = board.counts[status];
    return count ? [`${count} ${status.replace("_", " ")}`] : [];
  });
  print(`${pc.bold("signalbox")} ${folder}`);
  print(
    pc.dim(
      `${counts.join(" · ") || "no tasks yet; add one with `signalbox task add`"} · ${board.events} events`,
    ),
  );
  if (board.clock_lead) {
    const { found, mend } = describeClockLead(board.clock_lead);
    print(pc.yellow(`${found}\n  → ${mend}`));
  }
  if (board.tracked.length > 0)
    print(pc.red(`${trackedWords(board.tracked)}\n  → ${trackedMend(board.tracked, folder)}`));
  for (const { found, mend } of board.replaced) print(pc.red(`${found}\n  → ${mend}`));
  if (board.paused) print(pc.yellow(pauseLine(board.paused)));
  for (const { projection, error, own } of board.stopped) {
    const found = `projection ${projection} stopped at ${quoteLine(error ?? "", 300)}`;
    print(pc.red(own ? `${found}\n  → ${MEND_OWN}` : found));
  }
  for (const line of fleet ? faultLines(fleet) : []) print(line);
  section("Loops", board.loops, ({ driver, agent, jobs, ...loop }) =>
    print(
      `  ${quoteLine(driver, 60)}  ${pc.dim(`${quoteLine(agent, 30)} · ${counted(jobs, "job")}`)}  ${loopWords(loop)}`,
    ),
  );
  const { last_loop: last } = board;
  if (board.loops.length === 0 && last) {
    const when = last.at === null ? "" : pc.dim(`  ${toSeconds(last.at)} UTC`);
    const words = loopWords({ state: "stopped", until: null, why: last.why });
    paragraph("Last loop", [`${quoteLine(last.driver, 60)}  ${words}${when}`]);
  }
  section("Running", board.running, ({ session, task, state, started_at }) =>
    print(
      `  ${phaseLooks[state].symbol} ${task === null ? "no task" : `task ${task}`}  ${state.padEnd(13)} ${session}  since ${started_at.slice(0, 19)} UTC`,
    ),
  );
  if (fleet) {
    const { hosts } = fleet;
    paragraph("Hosts", [
      ...hostLines(hosts.slice(0, SHOWN)),
      ...(hosts.length > SHOWN ? [pc.dim(`… and ${hosts.length - SHOWN} more: signalbox fleet status`)] : []),
    ]);
    paragraph("Log", serverLines(fleet));
  }
  section("Waiting for you", board.inbox, (item: InboxItem) => print(itemLines(item).join("\n")), {
    total: board.totals.inbox,
    all: "signalbox inbox list",
  });
  section("Repeating themselves", board.repeating, (row) =>
    print(`  #${row.task} ${quoteLine(row.title)}  ${pc.yellow(repetitionLine(row, row.position))}`),
  );
  section("Next", board.next, (task) => print(nextLine(task)), {
    total: board.totals.next,
    all: "signalbox task list --status pending",
  });
  section(
    "Waiting for your approval",
    await queries.briefTasksThat("waitForApproval", SHOWN),
    ({ id, title, unapproved_gates }) =>
      print(
        `  #${id} ${quoteLine(title)}  ${pc.dim(toApprove({ status: "pending", unapproved_gates, held_at: 0 }).join())}`,
      ),
    { total: await queries.countTasksThat("waitForApproval"), all: "signalbox inbox list" },
  );
  section(
    "Waiting for other tasks",
    await queries.briefTasksThat("waitForTasks", SHOWN),
    ({ id, title, depends_on }) =>
      print(
        `  #${id} ${quoteLine(title)}  ${pc.dim(`after ${depends_on.map((one) => `#${one}`).join(", ")}`)}`,
      ),
    { total: await queries.countTasksThat("waitForTasks"), all: "signalbox task list --status pending" },
  );
  section("Failed", board.failed, ({ id, title }) => print(`  #${id} ${quoteLine(title)}`), {
    total: board.totals.failed,
    all: "signalbox task list --status failed",
  });
}

function nextLine({
  id,
  title,
  priority,
  feature,
  same_files_as: other,
}: Awaited<ReturnType<typeof lookAt>>["next"][number]): string {
  const after = other === null ? "" : ` · after #${other}, which makes the same files`;
  return `  #${id} ${quoteLine(title)}  ${pc.dim(`${priority} · ${quoteLine(feature, 30)}${after}`)}`;
}

function loopWords(loop: LoopState): string {
  const { symbol } = LOOP_LOOKS[loop.state];
  const words = `${symbol} ${quoteLine(
    inLoopWords(loop, (until) => `until ${toSeconds(until)} UTC`),
    200,
  )}`;
  return loop.state === "running" ? words : pc.yellow(words);
}

function paragraph(title: string, lines: readonly string[]): void {
  print(`\n${pc.bold(title)}`);
  for (const line of lines) print(`  ${line}`);
}

/** @param of how many there are, where `rows` are only the first, and the command that lists all */
function section<T>(
  title: string,
  rows: readonly T[],
  showRow: (row: T) => void,
  { total, all }: { readonly total: number; readonly all?: string } = { total: rows.length },
): void {
  if (rows.length === 0) return;
  print(`\n${pc.bold(title)}`);
  for (const row of rows.slice(0, SHOWN)) showRow(row);
  if (total > SHOWN) print(pc.dim(`  … and ${total - SHOWN} more${all === undefined ? "" : `: ${all}`}`));
}
