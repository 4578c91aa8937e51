import type { ReadModel } from "../../projections/read-model.ts";
import { showDiscipline, showFeature, showSession, showTask } from "./details.ts";

/** Things of which there are many: one resource each, and a template for all of a kind. JSON, all of them. */
export interface ResourceKind {
  /** In URIs: `ralph://tasks/7`. */
  readonly name: string;
  readonly noun: string;
  /** The template's variable. */
  readonly variable: "id" | "name";
  /** What the template shows, and each resource of the kind. */
  readonly description: string;
  /**
   * A SELECT of all there are: `key` is what the variable stands for, `title` is for people, and `place` is the order in
   * which they are listed: a number higher than all that were ever given, so that a new one comes last.
   */
  readonly all: string;
  /** What is shown of the one with this key; undefined if there is none. */
  show(readModel: ReadModel, key: string): object | undefined;
}

export const resourceKinds: readonly ResourceKind[] = [
  {
    name: "tasks",
    noun: "task",
    variable: "id",
    description: "A task: fields, gates, status changes with their reasons, timeline.",
    all: "SELECT id AS place, CAST(id AS TEXT) AS key, '#' || id || ' ' || title AS title FROM tasks",
    show: showTask,
  },
  {
    name: "features",
    noun: "feature",
    variable: "name",
    description: "A feature: fields, learnings, how many of its tasks have each status.",
    all: "SELECT id AS place, name AS key, display_name AS title FROM features",
    show: showFeature,
  },
  {
    name: "disciplines",
    noun: "discipline",
    variable: "name",
    description: "A discipline: persona, conventions, the tools that its agents do without.",
    all: "SELECT id AS place, name AS key, display_name AS title FROM disciplines",
    show: showDiscipline,
  },
  {
    name: "sessions",
    noun: "session",
    variable: "id",
    description: "A session: its task, states, signals and outcome.",
    all: "SELECT started_position AS place, id AS key, 'Session of task #' || task_id AS title FROM sessions",
    show: showSession,
  },
];

/** As `resources/templates/list` shows it: `ralph://tasks/{id}`. */
export function templateOf({ name, variable }: ResourceKind): string {
  return `ralph://${name}/{${variable}}`;
}
