import { disciplineChanged } from "../events/types/disciplines.ts";
import type { PayloadOf } from "../events/types/index.ts";
import type { McpServers } from "../events/types/mcp-fields.ts";
import { clashingName, SERVER_NAME } from "../server-name.ts";
import type { Decision } from "./decide.ts";
import { checkUnused } from "./deletion.ts";
import { changedFields, type Given, givenFields } from "./given-fields.ts";
import { Refusal } from "./refusal.ts";
import { requireDiscipline } from "./state.ts";

interface Named {
  /** By which tasks refer to it; it never changes. */
  readonly name: string;
}

/** A discipline's fields as `discipline.changed` has them; in a new one the display name is the name where it is absent. */
export type DisciplineFields = Named & Given<Omit<PayloadOf<"discipline.changed">, "discipline">>;

/** @throws Refusal `already_exists`; `not_possible`: an MCP server would pass for our own */
export function createDiscipline(input: DisciplineFields): Decision<"discipline.created"> {
  const { name, display_name = name, description = "", ...persona } = input;
  return {
    type: "discipline.created",
    input,
    plan(state) {
      if (state.disciplines.get(name))
        throw new Refusal("already_exists", `There is a discipline "${name}" already.`);
      checkServers(persona.mcp_servers);
      const fields = { discipline: name, display_name, description, ...givenFields(persona) };
      return [{ type: "discipline.created", payload: fields }];
    },
  };
}

/**
 * Lists, disabled tools and MCP servers replace what was there.
 *
 * @throws Refusal `not_found`, `nothing_to_do`; `not_possible`: an MCP server would pass for our own
 */
export function changeDiscipline(input: DisciplineFields): Decision<"discipline.changed"> {
  const { name, ...fields } = input;
  return {
    type: "discipline.changed",
    input,
    plan(state) {
      requireDiscipline(state, name, "name");
      checkServers(fields.mcp_servers);
      const changed = changedFields(`"${name}"`, fields, CHANGEABLE);
      return [{ type: "discipline.changed", payload: { discipline: name, ...changed } }];
    },
  };
}

const { discipline: _, ...changeable } = disciplineChanged.payload.shape;
const CHANGEABLE = Object.keys(changeable);

/** @throws Refusal `not_found`; `not_possible`: a task refers to it, or it is `general` */
export function deleteDiscipline({ name }: Named): Decision<"discipline.deleted"> {
  return {
    type: "discipline.deleted",
    input: { name },
    plan(state) {
      requireDiscipline(state, name, "name");
      checkUnused("discipline", name, state.tasks.where({ discipline: name }));
      return [{ type: "discipline.deleted", payload: { discipline: name } }];
    },
  };
}

/** In one configuration of a client, two servers cannot have one name. @throws Refusal `not_possible` */
function checkServers(servers: McpServers | undefined): void {
  const clash = clashingName(servers ?? {});
  if (clash === undefined) return;
  throw new Refusal(
    "not_possible",
    `An MCP server of a discipline cannot be called "${clash}": agents would take its tools for those of our own, "${SERVER_NAME}". Give it another name.`,
  );
}
