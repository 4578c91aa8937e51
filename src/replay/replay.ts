import { type Decision, decide } from "../decisions/decide.ts";
import { Refusal } from "../decisions/refusal.ts";
import { stateOf } from "../decisions/state.ts";
import type { Store } from "../decisions/store.ts";
import { GATE_MAX_DEFAULT, GATE_TIMEOUT_DEFAULT_S } from "../events/types/gates.ts";
import { LogError } from "../lib/log-error.ts";
import { addComment } from "../operations/comments.ts";
import { createDiscipline } from "../operations/disciplines.ts";
import { createFeature } from "../operations/features.ts";
import { actOnGate, recordGateAttempt } from "../operations/gates.ts";
import { answerQuestion, resolveBlocker } from "../operations/inbox.ts";
import { approveSuggestion, rejectSuggestion } from "../operations/inbox-proposals.ts";
import { endSession, startSession } from "../operations/sessions.ts";
import { setTaskStatus } from "../operations/task-status.ts";
import { createTask } from "../operations/tasks.ts";
import { catchUp } from "../read-model/worker.ts";
import type { Agent, ConnectAgent } from "./agent.ts";
import { outcomeOf, type Replayed } from "./outcome.ts";
import type { Outcome, Simulation, SimulationStep } from "./simulation.ts";

/**
 * The result of a replay; `surprises` are calls that were refused but recorded as accepted, or vice
 * versa.
 */
export interface ReplayResult {
  readonly outcome: Outcome;
  readonly surprises: readonly string[];
}

/**
 * Replays a simulation into a project: creates its features, disciplines and tasks, then runs its
 * steps, with an MCP server per agent. Every event's id follows from the simulation and the step.
 *
 * @param advance moves the clock forward, in seconds
 */
export async function replay(
  simulation: Simulation,
  store: Store,
  connectAgent: ConnectAgent,
  advance: (seconds: number) => void,
): Promise<ReplayResult> {
  const run = new Replay(simulation, store, connectAgent);
  try {
    await run.buildProject();
    for (const [index, step] of simulation.steps.entries()) {
      advance(step.after_seconds);
      await run.step(step, index + 1);
    }
    return run.result();
  } finally {
    await run.close();
  }
}

class Replay {
  readonly #simulation: Simulation;
  readonly #store: Store;
  readonly #connectAgent: ConnectAgent;
  readonly #agents = new Map<string, Agent>();
  readonly #tasksOfSessions = new Map<string, number>();
  readonly #trails = new Map<number, string[]>();
  /** Positions of accepted asks, blockers and suggestions, in order: steps refer to the n-th. */
  readonly #accepted: Record<"ask" | "blocked" | "suggest", number[]> = { ask: [], blocked: [], suggest: [] };
  readonly #surprises: string[] = [];
  #rejected = 0;

  constructor(simulation: Simulation, store: Store, connectAgent: ConnectAgent) {
    this.#simulation = simulation;
    this.#store = store;
    this.#connectAgent = connectAgent;
  }

  async buildProject(): Promise<void> {
    const { features, disciplines, tasks } = this.#simulation.project;
    const state = stateOf(this.#store.readModel);
    for (const feature of features) {
      if (!state.features.get(feature.name))
        await this.#decide(createFeature(feature), `feature ${feature.name}`);
    }
    for (const discipline of disciplines) {
      if (!state.disciplines.get(discipline.name)) {
        await this.#decide(createDiscipline(discipline), `discipline ${discipline.name}`);
      }
    }
    // Orders tasks so that each comes after its dependencies.
    const waiting = new Map(tasks.map((task) => [task.id, task]));
    while (waiting.size > 0) {
      const next = [...waiting.values()].find(({ depends_on }) => !depends_on.some((id) => waiting.has(id)));
      if (!next) throw new Error(`The tasks of ${this.#simulation.id} depend on each other in a circle.`);
      waiting.delete(next.id);
      const { id: task, verify, ...fields } = next;
      const gates = verify.map((command) => ({
        command,
        max: GATE_MAX_DEFAULT,
        timeout_s: GATE_TIMEOUT_DEFAULT_S,
      }));
      await this.#decide(createTask({ ...fields, task, gates }), `task ${task}`);
    }
    await this.#lookAtStatuses();
  }

  async step(step: SimulationStep, number: number): Promise<void> {
    if (step.do === "call") await this.#call(step, number);
    else await this.#act(step, number);
    await this.#lookAtStatuses();
  }

  result(): ReplayResult {
    const replayed: Replayed = {
      trails: this.#trails,
      sessions: [...this.#tasksOfSessions.keys()],
      rejected: this.#rejected,
      ...this.#accepted,
    };
    return { outcome: outcomeOf(this.#store.readModel, replayed), surprises: this.#surprises };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.close()));
  }

  async #call(step: Extract<SimulationStep, { do: "call" }>, number: number): Promise<void> {
    const agent = await this.#agentOf(step.session);
    const answer = await agent.call(step.tool, step.arguments, `${this.#simulation.id}/${number}`);
    if (!answer.accepted) this.#rejected += 1;
    if (answer.accepted !== (step.expect !== "rejected")) {
      this.#surprises.push(
        `step ${number}: ${step.tool} was ${answer.accepted ? "accepted" : `refused: ${answer.text}`}`,
      );
    }
    const { position } = answer;
    if (answer.accepted && position !== undefined && isCounted(step.tool))
      this.#accepted[step.tool].push(position);
  }

  async #act(step: Exclude<SimulationStep, { do: "call" }>, number: number): Promise<void> {
    try {
      await this.#decide(this.#decisionOf(step), `step ${number}`);
    } catch (error) {
      const refused =
        error instanceof Refusal || (error instanceof LogError && error.code === "invalid_event");
      if (!refused) throw error;
      this.#surprises.push(`step ${number}: ${step.do} was refused: ${error.message}`);
    }
  }

  #decisionOf(step: Exclude<SimulationStep, { do: "call" }>): Decision {
    switch (step.do) {
      case "start_session":
        this.#tasksOfSessions.set(step.session, step.task);
        return startSession(step);
      case "end_session":
        return endSession(step);
      case "gate":
        return recordGateAttempt(step);
      case "gate_action":
        return actOnGate({ task: step.task, gate: step.gate, action: step.action });
      case "answer":
        return answerQuestion({ id: nth(this.#accepted.ask, step.ask), answer: step.text });
      case "resolve_blocker":
        return resolveBlocker({ id: nth(this.#accepted.blocked, step.blocker) });
      case "approve":
        return approveSuggestion({ id: nth(this.#accepted.suggest, step.suggestion) });
      case "reject":
        return rejectSuggestion({ id: nth(this.#accepted.suggest, step.suggestion) });
      case "comment":
        return addComment({ task: step.task, author: step.author, body: step.body });
      case "set_status":
        return setTaskStatus({ task: step.task, status: step.status });
    }
  }

  async #agentOf(session: string): Promise<Agent> {
    const present = this.#agents.get(session);
    if (present) return present;
    // A session that never started is played on the simulation's first task.
    const task = this.#tasksOfSessions.get(session) ?? this.#simulation.project.tasks[0]?.id ?? 1;
    const agent = await this.#connectAgent(session, task);
    this.#agents.set(session, agent);
    return agent;
  }

  async #decide(decision: Decision, what: string): Promise<void> {
    const actor =
      decision.type.startsWith("session.") || decision.type === "gate.attempted" ? "driver" : "human";
    await decide(this.#store, decision, { actor, key: `${this.#simulation.id}/${what}` });
  }

  async #lookAtStatuses(): Promise<void> {
    await catchUp(this.#store.readModel, this.#store.log);
    const first = Math.min(...this.#simulation.project.tasks.map(({ id }) => id));
    for (const { id, status } of stateOf(this.#store.readModel).tasks.scan((task) => task.id >= first)) {
      const trail = this.#trails.get(id);
      if (!trail) this.#trails.set(id, [status]);
      else if (trail.at(-1) !== status) trail.push(status);
    }
  }
}

function isCounted(tool: string): tool is "ask" | "blocked" | "suggest" {
  return tool === "ask" || tool === "blocked" || tool === "suggest";
}

function nth(positions: readonly number[], n: number): number {
  const position = positions[n - 1];
  if (position === undefined)
    throw new Refusal("not_found", `only ${positions.length} of them were accepted, not ${n}`);
  return position;
}
