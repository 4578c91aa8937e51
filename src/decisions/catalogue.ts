import type { Decision } from "./decide.ts";
import { Refusal } from "./refusal.ts";

/** Features and disciplines: the names that tasks refer to. */
interface Entry {
  readonly name: string;
  /** Absent: the name. */
  readonly display_name?: string | undefined;
  readonly description?: string | undefined;
}

interface Feature extends Entry {
  /** Files that whoever works on a task of the feature should know, relative to the project. */
  readonly context_files?: readonly string[] | undefined;
}

/** @throws Refusal `already_exists` */
export function createFeature(input: Feature): Decision<"feature.created"> {
  const { name, display_name = name, description = "", context_files } = input;
  return {
    type: "feature.created",
    input,
    plan(state) {
      if (state.features.get(name))
        throw new Refusal("already_exists", `There is a feature "${name}" already.`);
      const files = context_files && { context_files: [...context_files] };
      return [{ type: "feature.created", payload: { feature: name, display_name, description, ...files } }];
    },
  };
}

/** @throws Refusal `not_found`, `nothing_to_do` */
export function changeFeature(input: Feature): Decision<"feature.changed"> {
  const { name, context_files, ...fields } = input;
  return {
    type: "feature.changed",
    input,
    plan(state) {
      if (!state.features.get(name)) throw new Refusal("not_found", `There is no feature "${name}".`);
      const files = context_files && { context_files: [...context_files] };
      const others = files && Object.values(fields).every((value) => value === undefined);
      return [
        {
          type: "feature.changed",
          payload: { feature: name, ...(others ? {} : given(name, fields)), ...files },
        },
      ];
    },
  };
}

/** @throws Refusal `already_exists` */
export function createDiscipline(input: Entry): Decision<"discipline.created"> {
  const { name, display_name = name, description = "" } = input;
  return {
    type: "discipline.created",
    input,
    plan(state) {
      if (state.disciplines.get(name))
        throw new Refusal("already_exists", `There is a discipline "${name}" already.`);
      return [{ type: "discipline.created", payload: { discipline: name, display_name, description } }];
    },
  };
}

/** @throws Refusal `not_found`, `nothing_to_do` */
export function changeDiscipline(input: Entry): Decision<"discipline.changed"> {
  const { name, ...fields } = input;
  return {
    type: "discipline.changed",
    input,
    plan(state) {
      if (!state.disciplines.get(name)) throw new Refusal("not_found", `There is no discipline "${name}".`);
      return [{ type: "discipline.changed", payload: { discipline: name, ...given(name, fields) } }];
    },
  };
}

function given(name: string, { display_name, description }: Omit<Entry, "name">) {
  if (display_name === undefined && description === undefined) {
    throw new Refusal("nothing_to_do", `Nothing was given that would change "${name}".`);
  }
  return {
    ...(display_name !== undefined && { display_name }),
    ...(description !== undefined && { description }),
  };
}
