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
      return [
        { type: "feature.changed", payload: { feature: name, ...given(name, { ...fields, ...files }) } },
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

/** The fields that were given. @throws Refusal `nothing_to_do` */
function given<Fields extends object>(name: string, fields: Fields): Present<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (present.length === 0) {
    throw new Refusal("nothing_to_do", `Nothing was given that would change "${name}".`);
  }
  // What is undefined was left out; the entries of an object do not say so to the compiler.
  return Object.fromEntries(present) as Present<Fields>;
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
