import { z } from "zod";
import { ABSENT, findTasks, listDisciplines, listFeatures, taskDetails } from "../core.ts";
import { defineAnswer } from "./answer.ts";
import { wholeNumber } from "./query.ts";

/** A task's form: the choices, and the fields of the task or of a new one; null if there is no such task. */
export const taskFormAnswer = defineAnswer({
  name: "task_form",
  query: z.strictObject({ task: wholeNumber(1).optional() }),
  answer: ({ readModel }, { task }) => ({
    features: listFeatures(readModel).map(({ name }) => name),
    disciplines: listDisciplines(readModel).map(({ name }) => name),
    fields: task === undefined ? NEW : fieldsOf(taskDetails(readModel, task)),
  }),
});

/** Tasks by title or number, for the palette and for dependencies. */
export const findTasksAnswer = defineAnswer({
  name: "find_tasks",
  query: z.strictObject({ text: z.string().max(200) }),
  answer: ({ readModel }, { text }) => findTasks(readModel, text, FOUND_LIMIT),
});

const FOUND_LIMIT = 20;

type Details = NonNullable<ReturnType<typeof taskDetails>>;

interface TaskFields
  extends Pick<
    Details,
    | ("title" | "description" | "priority" | "feature" | "discipline")
    | ("accept" | "criteria" | "tags" | "hints" | "depends_on")
  > {
  readonly gates: readonly Pick<
    Details["gates"][number],
    "gate" | "command" | "max_attempts" | "timeout_s"
  >[];
}

const { status: _, ...absent } = ABSENT;
const NEW: TaskFields = {
  ...absent,
  title: "",
  criteria: [],
  tags: [],
  hints: null,
  depends_on: [],
  gates: [],
};

function fieldsOf(details: Details | undefined): TaskFields | null {
  if (!details) return null;
  const { title, description, priority, feature, discipline, accept } = details;
  const { criteria, tags, hints, depends_on } = details;
  return {
    ...{ title, description, priority, feature, discipline, accept, criteria, tags, hints, depends_on },
    gates: details.gates.map(({ gate, command, max_attempts, timeout_s }) => ({
      ...{ gate, command, max_attempts, timeout_s },
    })),
  };
}
