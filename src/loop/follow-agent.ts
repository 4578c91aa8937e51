import { existsSync } from "node:fs";
import {
  auditTime,
  BehaviorSubject,
  catchError,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  from as fromPromise,
  interval,
  map,
  merge,
  type Observable,
  Subject,
  share,
  take,
  takeUntil,
  tap,
} from "rxjs";
import { eventsAfter } from "../events/events-by-page.ts";
import { passes } from "../events/types/command-result.ts";
import { howItEnded } from "../events/types/gate-runs.ts";
import { definitionOf, type Event } from "../events/types/index.ts";
import { closingVerbs } from "../events/types/signals.ts";
import { readerOf } from "./agent/clients.ts";
import { NOTHING_OBSERVED, type Observed, observe } from "./agent/observed.ts";
import type { AgentProcess, ProcessEnd } from "./agent/process.ts";
import type { Stop } from "./agent/verdict.ts";
import { changedFiles } from "./changed-files.ts";
import type { AgentRun } from "./claim.ts";
import { FENCE_GRACE_MS } from "./drivers/host-watch.ts";
import { gatesRunning } from "./gates-running.ts";
import { keptIn } from "./output/kept-in.ts";
import type { RunFolder } from "./run-folder.ts";
import { agentProgressed, agentStarted, recordFacts, workspaceReported } from "./session-facts.ts";
import type { Surroundings } from "./surroundings.ts";
import { watchdog } from "./watchdog.ts";

/** The observations of an agent up to its end. */
export interface Followed {
  readonly end: ProcessEnd;
  readonly seen: Observed;
  /** Why the driver ended it; `taken` if someone else had ended its session. */
  readonly stopped: Stop | "taken" | undefined;
}

/**
 * Follows an agent until its end: stores its output, forwards its reports, records its usage and
 * changed files at intervals, and ends it when the watchdog or the loop says so, or when its
 * session was ended by someone else.
 */
export async function followAgent(
  agent: AgentProcess,
  claim: AgentRun,
  folder: RunFolder,
  surroundings: Surroundings,
): Promise<Followed> {
  const { project, config, cancel } = surroundings;
  const gone = new Subject<void>();
  const lines = agent.lines.pipe(
    map((line) => ({ ...line, at: new Date() })),
    keptIn(folder.outputFile),
    share(),
  );
  let seen = claim.position;
  const events = project.follow(claim.position).pipe(
    tap(({ position }) => {
      seen = position;
    }),
    // If following the log fails, its writers will get the error.
    catchError(() => EMPTY),
    takeUntil(gone),
    share(),
  );
  const reports = events.pipe(filter(({ correlation }) => correlation === claim.session));
  const closed = reports.pipe(filter(({ type }) => CLOSING.has(type)));
  const gates = gatesRunning(project, events, { ...claim, ownFolder: config.worktrees !== false });
  const observed = new BehaviorSubject<Observed>(NOTHING_OBSERVED);
  let stopped: Followed["stopped"];
  let failure: { readonly error: unknown } | undefined;

  merge(
    merge(
      watchdog(config.limits, { activity: merge(lines, reports), closed, gates }),
      cancel,
      reports.pipe(
        filter(({ type }) => type === "session.ended"),
        map(() => "taken" as const),
      ),
    ).pipe(
      take(1),
      tap((stop) => {
        stopped = stop;
        const grace_ms = config.limits.grace_s * 1_000;
        const isFenced = stop !== "taken" && stop.why === "fenced";
        void agent.stop(isFenced ? Math.min(grace_ms, FENCE_GRACE_MS) : grace_ms);
      }),
    ),
    reports.pipe(tap((event) => tellReport(event, claim, surroundings))),
    recordStart(observed, claim, folder, surroundings),
    recordProgress(observed, claim, surroundings),
    recordFiles(observed, claim, surroundings),
  )
    .pipe(takeUntil(gone))
    .subscribe({
      error: (error) => {
        failure = { error };
        void agent.stop(config.limits.grace_s * 1_000);
      },
    });
  observe(lines, readerOf(claim.program)).subscribe({ next: (now) => observed.next(now) });

  const end = await agent.ended;
  gone.next();
  if (failure) throw failure.error;
  // Its last reports are in the log, even if no notice of them has come yet.
  for await (const event of eventsAfter(project.log, seen)) {
    if (event.correlation === claim.session) tellReport(event, claim, surroundings);
  }
  return { end, seen: observed.value, stopped };
}

const CLOSING: ReadonlySet<string> = new Set(closingVerbs.map((verb) => `signal.${verb}`));
const PROGRESS_MS = 15_000;

/** The agent's reports and gate runs, once they are in the log. */
function tellReport(event: Event, { session, task: of }: AgentRun, { tell }: Surroundings): void {
  const task = of?.id ?? null;
  if (event.type === "gate.started" && !event.payload.baseline && task !== null) {
    const { gate, command } = event.payload;
    tell({ step: "gate_started", session, task, gate, command });
  }
  if (event.type === "gate.attempted" && task !== null) {
    const { gate, duration_ms, ...result } = event.payload;
    const how = howItEnded(result);
    tell({ step: "gate_ended", session, task, gate, passed: passes(result), how, duration_ms });
  }
  if (!event.type.startsWith("signal.") && event.type !== "session.state_reported") return;
  const text = definitionOf(event.type)?.timeline(event.payload as Record<string, unknown>) ?? "";
  tell({ step: "reported", session, task, position: event.position, type: event.type, text });
}

function recordStart(
  observed: Observable<Observed>,
  claim: AgentRun,
  { connectedFile }: RunFolder,
  { project, tell }: Surroundings,
): Observable<unknown> {
  return observed.pipe(
    filter(({ init }) => init !== undefined),
    take(1),
    exhaustMap((seen) => {
      const told = seen.init?.server ?? "unknown";
      const server = told === "unknown" && existsSync(connectedFile) ? "connected" : told;
      const { session, task } = claim;
      tell({
        step: "agent_started",
        session,
        task: task?.id ?? null,
        model: seen.init?.model ?? null,
        server,
      });
      return fromPromise(recordFacts(project, session, [agentStarted(claim, seen, server)]));
    }),
    catchError(() => EMPTY),
  );
}

function recordProgress(
  observed: Observable<Observed>,
  claim: AgentRun,
  { project }: Surroundings,
): Observable<unknown> {
  return observed.pipe(
    auditTime(PROGRESS_MS),
    filter(({ turns }) => turns > 0),
    distinctUntilChanged(({ turns: before }, { turns: now }) => before === now),
    exhaustMap((seen) => fromPromise(recordFacts(project, claim.session, [agentProgressed(claim, seen)]))),
    catchError(() => EMPTY),
  );
}

/** The workspace's changed files, whenever they change. */
function recordFiles(
  observed: BehaviorSubject<Observed>,
  claim: AgentRun,
  { project, config, tell }: Surroundings,
): Observable<unknown> {
  const { start, workspace, session, task } = claim;
  // Whose files a session without a task changed nobody asks while it runs.
  if (!start || !task) return EMPTY;
  const changed = async () => {
    const now = await workspace.look();
    return (now && (await changedFiles(claim, now, observed.value))) ?? [];
  };
  const told = new Set<string>();
  const tellOverlaps = async () => {
    for (const { path, session: other_session, task: other_task } of await project.queries.overlapsOf(
      session,
    )) {
      if (told.has(`${path} ${other_session}`)) continue;
      told.add(`${path} ${other_session}`);
      tell({ step: "overlap", session, task: task.id, path, other_session, other_task });
    }
  };
  return interval(config.limits.workspace_s * 1_000).pipe(
    exhaustMap(() => fromPromise(changed()).pipe(catchError(() => EMPTY))),
    distinctUntilChanged((before, now) => before.join("\0") === now.join("\0")),
    exhaustMap((files) =>
      fromPromise(recordFacts(project, session, [workspaceReported({ session, task }, files)])),
    ),
    exhaustMap(() => fromPromise(tellOverlaps())),
    catchError(() => EMPTY),
  );
}
