import type { Priority, TaskStatus } from "../events/types/fields.ts";
import type { GateDeclaration } from "../events/types/gates.ts";
import { dependencyPath } from "../projections/board/dependencies.ts";
import { nextTaskId } from "../projections/board/task-rows.ts";
import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";
import { requireTask, type State } from "./state.ts";

export interface NewTask {
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
  /** What must be true of the work, for the agent to read. */
  readonly criteria?: readonly string[] | undefined;
  /** Files that the agent should know, relative to the project. */
  readonly context_files?: readonly string[] | undefined;
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
      if (state.tasks.get(task)) throw new Refusal("already_exists", `There is a task ${task} already.`);
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
            ...lists(input),
          },
        },
      ];
    },
  };
}

export interface TaskChange {
  readonly task: number;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly feature?: string | undefined;
  readonly discipline?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly depends_on?: readonly number[] | undefined;
  readonly accept?: "auto" | "human" | undefined;
  /** These replace what was there. */
  readonly criteria?: readonly string[] | undefined;
  readonly context_files?: readonly string[] | undefined;
}

/** @throws Refusal `not_found`, `circle`, `nothing_to_do` */
export function changeTask(input: TaskChange): Decision<"task.changed"> {
  return {
    type: "task.changed",
    input,
    plan(state) {
      requireTask(state, input.task);
      checkNames(state, input);
      const { depends_on, criteria, context_files, ...rest } = withoutAbsent(input);
      const dependsOn = depends_on && checkDependencies(state, input.task, depends_on);
      const payload = {
        ...rest,
        ...(dependsOn && { depends_on: dependsOn }),
        ...lists({ criteria, context_files }),
      };
      if (Object.keys(payload).length === 1) {
        throw new Refusal("nothing_to_do", `Nothing was given that would change task ${input.task}.`);
      }
      return [{ type: "task.changed", payload }];
    },
  };
}

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

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there */
export function acceptTask(input: { task: number }): Decision<"task.accepted"> {
  return {
    type: "task.accepted",
    input,
    plan(state) {
      checkAwaiting(state, input.task);
      return [{ type: "task.accepted", payload: input }];
    },
  };
}

/** @throws Refusal `not_found`, `not_possible`: no verified done waits there */
export function sendBackTask(input: { task: number; comment: string }): Decision<"task.sent_back"> {
  return {
    type: "task.sent_back",
    input,
    plan(state) {
      checkAwaiting(state, input.task);
      return [{ type: "task.sent_back", payload: input }];
    },
  };
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

function lists({ criteria, context_files }: Pick<TaskChange, "criteria" | "context_files">) {
  return {
    ...(criteria && { criteria: [...criteria] }),
    ...(context_files && { context_files: [...context_files] }),
  };
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
  if (feature !== undefined && !state.features.get(feature)) {
    throw new Refusal(
      "not_found",
      `There is no feature "${feature}"; make it with \`signalbox feature add\`.`,
    );
  }
  if (discipline !== undefined && !state.disciplines.get(discipline)) {
    throw new Refusal(
      "not_found",
      `There is no discipline "${discipline}"; make it with \`signalbox discipline add\`.`,
    );
  }
}

/** Dependencies exist, and none of them depends on the task itself. */
function checkDependencies(state: State, task: number, dependsOn: readonly number[]): number[] {
  for (const id of dependsOn) {
    const circle = id === task ? [task] : dependencyPath(state, id, task);
    if (circle) {
      throw new Refusal(
        "circle",
        `Task ${task} cannot depend on ${id}: that closes a circle, ${[task, ...circle].join(" → ")}.`,
      );
    }
    requireTask(state, id);
  }
  return [...new Set(dependsOn)].sort((a, b) => a - b);
}

function withoutAbsent<T extends object>(input: T): T {
  // Leaving out what is undefined keeps the type: its optional fields allow undefined.
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
}
