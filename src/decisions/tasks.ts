import type { Priority, TaskStatus } from "../events/types/fields.ts";
import type { GateDeclaration } from "../events/types/gates.ts";
import { taskChanged } from "../events/types/tasks.ts";
import { dependencyPath } from "../projections/board/dependencies.ts";
import { nextTaskId } from "../projections/board/task-rows.ts";
import type { Decision } from "./decide.ts";
import { changedFields, givenFields } from "./given-fields.ts";
import { Refusal } from "./refusal.ts";
import { refuseAgent } from "./refuse-agent.ts";
import { requireDiscipline, requireFeature, requireTask, type State, wasDeleted } from "./state.ts";

/** What a task says beside its title and description; where it is given anew, it replaces what was there. */
interface Plan {
  /** What must be true of the work, for the agent to read. */
  readonly criteria?: readonly string[] | undefined;
  /** Files that the agent should know, relative to the project. */
  readonly context_files?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Files that the work is to make or change, relative to the project. */
  readonly output_artifacts?: readonly string[] | undefined;
  /** What may help whoever works on it. */
  readonly hints?: string | undefined;
  /** Of an agent. */
  readonly estimated_turns?: number | undefined;
}

export interface NewTask extends Plan {
  /** An id that was never given yet; absent: the next one. */
  readonly task?: number | undefined;
  readonly title: string;
  readonly description?: string | undefined;
  /** Absent: `general`. */
  readonly feature?: string | undefined;
  readonly discipline?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly status?: TaskStatus | undefined;
  readonly depends_on?: readonly number[] | undefined;
  readonly accept?: "auto" | "human" | undefined;
  readonly gates?: readonly GateDeclaration[] | undefined;
}

/** @throws Refusal `not_found`: the feature, the discipline or a dependency; `already_exists`: the id */
export function createTask(input: NewTask): Decision<"task.created"> {
  return {
    type: "task.created",
    input,
    plan(state) {
      const { feature = "general", discipline = "general" } = input;
      checkNames(state, { feature, discipline });
      const task = input.task ?? nextTaskId(state);
      checkFree(state, task);
      const dependsOn = checkDependencies(state, task, input.depends_on ?? []);
      return [
        {
          type: "task.created",
          payload: {
            task,
            title: input.title,
            description: input.description ?? "",
            feature,
            discipline,
            priority: input.priority ?? "medium",
            status: input.status ?? "pending",
            depends_on: dependsOn,
            accept: input.accept ?? "auto",
            gates: [...(input.gates ?? [])],
            ...planOf(input),
          },
        },
      ];
    },
  };
}

export interface TaskChange extends Plan {
  readonly task: number;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly feature?: string | undefined;
  readonly discipline?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly depends_on?: readonly number[] | undefined;
  readonly accept?: "auto" | "human" | undefined;
}

/** @throws Refusal `not_found`, `circle`, `nothing_to_do` */
export function changeTask(input: TaskChange): Decision<"task.changed"> {
  return {
    type: "task.changed",
    input,
    plan(state) {
      requireTask(state, input.task);
      checkNames(state, input);
      const { task, title, description, feature, discipline, priority, accept } = input;
      const dependsOn = input.depends_on && checkDependencies(state, task, input.depends_on);
      const fields = {
        ...givenFields({ title, description, feature, discipline, priority, accept }),
        ...(dependsOn && { depends_on: dependsOn }),
        ...planOf(input),
      };
      const payload = { task, ...changedFields(`task ${task}`, fields, CHANGEABLE) };
      return [{ type: "task.changed", payload }];
    },
  };
}

const { task: _, ...changeable } = taskChanged.payload.shape;
const CHANGEABLE = Object.keys(changeable);

/** Any status, while no session of the task is open (rules.md, Humans). @throws Refusal `not_found`, `session_open` */
export function setTaskStatus(input: { task: number; status: TaskStatus }): Decision<"task.status_set"> {
  return {
    type: "task.status_set",
    input,
    plan(state) {
      checkNoSession(state, input.task);
      return [{ type: "task.status_set", payload: input }];
    },
  };
}

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there, or an agent asks for it */
export function acceptTask(input: { task: number }): Decision<"task.accepted"> {
  return {
    type: "task.accepted",
    input,
    permit: (_, actor) => checkHuman(actor),
    plan(state) {
      checkAwaiting(state, input.task);
      return [{ type: "task.accepted", payload: input }];
    },
  };
}

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there, or an agent asks for it */
export function sendBackTask(input: { task: number; comment: string }): Decision<"task.sent_back"> {
  return {
    type: "task.sent_back",
    input,
    permit: (_, actor) => checkHuman(actor),
    plan(state) {
      checkAwaiting(state, input.task);
      return [{ type: "task.sent_back", payload: input }];
    },
  };
}

/** Whose work it is does not accept it (docs/gates.md). @throws Refusal `not_possible` */
function checkHuman(actor: string): void {
  refuseAgent(actor, "An agent accepts no work and sends none back: that belongs to the human.");
}

/** @throws Refusal `session_open` */
export function checkNoSession(state: State, id: number): void {
  const { open_session } = requireTask(state, id);
  if (open_session !== null) {
    throw new Refusal(
      "session_open",
      `Session ${open_session} of task ${id} is open. End it first: \`signalbox session end ${open_session} --exit cancelled\`.`,
    );
  }
}

/** Of an id that somebody chose. Ids are never used again, not even after a deletion (rules.md). */
function checkFree(state: State, id: number): void {
  if (state.tasks.get(id)) throw new Refusal("already_exists", `There is a task ${id} already.`);
  if (wasDeleted(state, id)) {
    throw new Refusal(
      "already_exists",
      `Task ${id} was deleted, and ids are never used again. Leave the id out: the next one is ${nextTaskId(state)}.`,
    );
  }
}

function checkAwaiting(state: State, id: number): void {
  if (!requireTask(state, id).awaiting_acceptance) {
    throw new Refusal("not_possible", `Task ${id} does not wait to be accepted.`);
  }
}

function checkNames(
  state: State,
  { feature, discipline }: { feature?: string | undefined; discipline?: string | undefined },
): void {
  if (feature !== undefined) requireFeature(state, feature);
  if (discipline !== undefined) requireDiscipline(state, discipline);
}

/** Dependencies exist, and none of them depends on the task itself. */
function checkDependencies(state: State, task: number, dependsOn: readonly number[]): number[] {
  for (const id of dependsOn) {
    const circle = id === task ? [task] : dependencyPath(state, id, task);
    if (circle) {
      throw new Refusal(
        "circle",
        `Task ${task} cannot depend on ${id}: that closes a circle, ${[task, ...circle].join(" → ")}.`,
        { field: "depends_on" },
      );
    }
    requireTask(state, id, "depends_on");
  }
  return [...new Set(dependsOn)].sort((a, b) => a - b);
}

/** What was given of a plan, as an event has it. */
function planOf({ criteria, context_files, tags, output_artifacts, hints, estimated_turns }: Plan) {
  return {
    ...(criteria && { criteria: [...criteria] }),
    ...(context_files && { context_files: [...context_files] }),
    ...(tags && { tags: [...tags] }),
    ...(output_artifacts && { output_artifacts: [...output_artifacts] }),
    ...givenFields({ hints, estimated_turns }),
  };
}
