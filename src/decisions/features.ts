import { featureChanged } from "../events/types/features.ts";
import type { PayloadOf } from "../events/types/index.ts";
import { findPath } from "../projections/path.ts";
import type { Decision } from "./decide.ts";
import { checkUnused } from "./deletion.ts";
import { changedFields, type Given, givenFields } from "./given-fields.ts";
import { Refusal } from "./refusal.ts";
import { someOf } from "./some-of.ts";
import { requireFeature, type State } from "./state.ts";

interface Named {
  /** By which tasks refer to it; it never changes. */
  readonly name: string;
}

/** A feature's fields as `feature.changed` has them; in a new one the display name is the name where it is absent. */
export type FeatureFields = Named & Given<Omit<PayloadOf<"feature.changed">, "feature">>;

/** @throws Refusal `already_exists`; `not_found`, `circle`: of the features that it is to depend on */
export function createFeature(input: FeatureFields): Decision<"feature.created"> {
  const { name, display_name = name, description = "", dependencies, ...knowledge } = input;
  return {
    type: "feature.created",
    input,
    plan(state) {
      if (state.features.get(name))
        throw new Refusal("already_exists", `There is a feature "${name}" already.`);
      const checked = checkDependencies(state, name, dependencies);
      const fields = givenFields({ ...knowledge, dependencies: checked });
      return [{ type: "feature.created", payload: { feature: name, display_name, description, ...fields } }];
    },
  };
}

/**
 * Lists replace what was there.
 *
 * @throws Refusal `not_found`, `circle`, `nothing_to_do`
 */
export function changeFeature(input: FeatureFields): Decision<"feature.changed"> {
  const { name, dependencies, ...fields } = input;
  return {
    type: "feature.changed",
    input,
    plan(state) {
      requireFeature(state, name, "name");
      const checked = checkDependencies(state, name, dependencies);
      const changed = changedFields(`"${name}"`, { ...fields, dependencies: checked }, CHANGEABLE);
      return [{ type: "feature.changed", payload: { feature: name, ...changed } }];
    },
  };
}

const { feature: _, ...changeable } = featureChanged.payload.shape;
const CHANGEABLE = Object.keys(changeable);

/** @throws Refusal `not_found`; `not_possible`: a task or another feature refers to it, or it is `general` */
export function deleteFeature({ name }: Named): Decision<"feature.deleted"> {
  return {
    type: "feature.deleted",
    input: { name },
    plan(state) {
      requireFeature(state, name, "name");
      checkUnused("feature", name, state.tasks.where({ feature: name }));
      const dependents = state.features.where({}, (row) => namesIn(row.dependencies).includes(name));
      if (dependents.length > 0) {
        const names = someOf(dependents.map((row) => `"${row.name}"`));
        throw new Refusal(
          "not_possible",
          `The feature "${name}" cannot be deleted while other features depend on it: ${names}. ` +
            "Change that first with `signalbox feature set NAME --depends-on …`.",
        );
      }
      return [{ type: "feature.deleted", payload: { feature: name } }];
    },
  };
}

/**
 * Adds a file to those that the agents of a feature's tasks should know.
 *
 * @throws Refusal `not_found`; `nothing_to_do`: it is among them
 */
export function addContextFile({
  name,
  path,
}: Named & { readonly path: string }): Decision<"feature.changed"> {
  return {
    type: "feature.changed",
    input: { name, path },
    plan(state) {
      const files = namesIn(requireFeature(state, name).context_files);
      if (files.includes(path)) {
        throw new Refusal(
          "nothing_to_do",
          `"${path}" is among the context files of the feature "${name}" already.`,
        );
      }
      return [{ type: "feature.changed", payload: { feature: name, context_files: [...files, path] } }];
    },
  };
}

/** Each once, in the order given. @throws Refusal `not_found`; `circle`: one of them depends on the feature itself */
function checkDependencies(
  state: State,
  name: string,
  dependencies: readonly string[] | undefined,
): string[] | undefined {
  if (!dependencies) return undefined;
  for (const other of dependencies) {
    const way = findPath(other, name, (at) => namesIn(state.features.get(at)?.dependencies ?? "[]"));
    if (way) {
      const circle = [name, ...way].map((at) => `"${at}"`).join(" → ");
      throw new Refusal(
        "circle",
        `The feature "${name}" cannot depend on "${other}": that closes a circle, ${circle}.`,
        { field: "dependencies" },
      );
    }
    requireFeature(state, other, "dependencies");
  }
  return [...new Set(dependencies)];
}

/** What a column has that holds a JSON array of texts. */
function namesIn(column: string): string[] {
  return JSON.parse(column);
}
