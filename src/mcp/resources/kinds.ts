import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { question, type Tables } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { showDiscipline, showFeature, showSession, showTask } from "./details.ts";

/** Kinds with many resources: one resource each, and a template for the kind. All are JSON. */
export interface ResourceKind {
  /** In URIs: `ralph://tasks/7`. */
  readonly name: string;
  readonly noun: string;
  /** The template's variable. */
  readonly variable: "id" | "name";
  /** The description of the template and of each resource. */
  readonly description: string;
  /** The query for all of them. */
  readonly of: ReturnType<typeof questionsOf>;
  /** The content of the one with this key; undefined if there is none. */
  show(readModel: ReadModel, key: string): object | undefined;
}

export const resourceKinds: readonly ResourceKind[] = [
  {
    name: "tasks",
    noun: "task",
    variable: "id",
    description: "A task: fields, gates, status changes with their reasons, timeline.",
    of: questionsOf((tables) =>
      tables
        .selectFrom("tasks")
        .select(({ cast, ref }) => [
          "id as place",
          cast<string>("id", "text").as("key"),
          sql<string>`'#' || ${ref("id")} || ' ' || ${ref("title")}`.as("title"),
        ]),
    ),
    show: showTask,
  },
  {
    name: "features",
    noun: "feature",
    variable: "name",
    description: "A feature: fields, learnings, the number of its tasks by status.",
    of: questionsOf((tables) =>
      tables.selectFrom("features").select(["id as place", "name as key", "display_name as title"]),
    ),
    show: showFeature,
  },
  {
    name: "disciplines",
    noun: "discipline",
    variable: "name",
    description: "A discipline: persona, conventions, disabled tools.",
    of: questionsOf((tables) =>
      tables.selectFrom("disciplines").select(["id as place", "name as key", "display_name as title"]),
    ),
    show: showDiscipline,
  },
  {
    name: "sessions",
    noun: "session",
    variable: "id",
    description: "A session: its task, states, signals and outcome.",
    of: questionsOf((tables) =>
      tables
        .selectFrom("sessions")
        .select(({ ref }) => [
          "started_position as place",
          "id as key",
          sql<string>`coalesce('Session of task #' || ${ref("task_id")}, 'Session without a task')`.as(
            "title",
          ),
        ]),
    ),
    show: showSession,
  },
];

/**
 * `key` fills the variable, `title` is for people, and `place` is the listing order: a number
 * higher than any given before, so that a new one comes last.
 */
interface Listed {
  readonly place: number;
  readonly key: string;
  readonly title: string;
}

function questionsOf<DB, From extends keyof DB>(
  all: (tables: Tables) => SelectQueryBuilder<DB, From, Listed>,
) {
  return {
    after: question<{ after: number; limit: number }>()((tables, given) =>
      tables
        .selectFrom(all(tables).as("one"))
        .selectAll()
        .where("place", ">", given("after"))
        .orderBy("place")
        .limit(given("limit")),
    ),
    count: question()((tables) =>
      tables
        .selectFrom(all(tables).as("one"))
        .select(({ fn, lit }) => [
          fn.countAll<number>().as("count"),
          fn.coalesce(fn.max("place"), lit(0)).as("last"),
        ]),
    ),
    begun: question<{ begun: string; limit: number }>()((tables, given) =>
      tables
        .selectFrom(all(tables).as("one"))
        .select("key")
        .where(({ ref }) => sql<SqlBool>`instr(${ref("key")}, ${given("begun")}) = 1`)
        .orderBy((eb) => eb("key", "<>", given("begun")))
        .orderBy("place", "desc")
        .limit(given("limit")),
    ),
    countBegun: question<{ begun: string }>()((tables, given) =>
      tables
        .selectFrom(all(tables).as("one"))
        .where(({ ref }) => sql<SqlBool>`instr(${ref("key")}, ${given("begun")}) = 1`)
        .select(({ fn }) => fn.countAll<number>().as("total")),
    ),
  };
}

/** As `resources/templates/list` shows it: `ralph://tasks/{id}`. */
export function templateOf({ name, variable }: ResourceKind): string {
  return `ralph://${name}/{${variable}}`;
}
