import type { McpServers } from "../events/types/mcp-fields.ts";
import {
  policies as definitions,
  type PolicyName,
  type PolicyValue,
  policyNames,
} from "../events/types/policies.ts";
import { policyValue } from "../projections/board/policies.ts";
import { policies } from "../projections/board/tables.ts";
import { disciplinesTable } from "../projections/disciplines.ts";
import { featuresTable } from "../projections/features.ts";
import { parseColumn } from "../projections/parse-column.ts";
import type { Row } from "../projections/table.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type FeatureLearning, featureLearnings } from "./feature-learnings.ts";

/** A feature as users see it: the columns of the table, what is JSON there as lists. */
export interface Feature
  extends Omit<
    Row<typeof featuresTable>,
    "context_files" | "knowledge_paths" | "dependencies" | "agent_fields" | "plan"
  > {
  readonly context_files: string[];
  readonly knowledge_paths: string[];
  readonly dependencies: string[];
  readonly agent_fields: string[];
}

/** A discipline as users see it: the columns of the table, what is JSON there as what it says. */
export interface Discipline
  extends Omit<
    Row<typeof disciplinesTable>,
    "skills" | "mcp_tool_overrides" | "mcp_servers" | "agent_fields" | "plan"
  > {
  readonly skills: string[];
  /** Tools that its agents do without; the column is `mcp_tool_overrides`. */
  readonly disabled_tools: string[];
  readonly mcp_servers: McpServers;
  readonly agent_fields: string[];
}

/** Features in the order in which they were made. */
export function listFeatures(readModel: ReadView): Feature[] {
  return readModel
    .rowsOf({ features: featuresTable })
    .features.scan()
    .map(viewFeature)
    .sort((a, b) => a.id - b.id);
}

export function findFeature(readModel: ReadView, name: string): Feature | undefined {
  const row = readModel.rowsOf({ features: featuresTable }).features.get(name);
  return row && viewFeature(row);
}

/** A feature with what was learned about it, the last confirmed first. */
export interface FeatureDetails extends Feature {
  readonly learnings: FeatureLearning[];
  /** How many learnings there are besides; learnings.txt has them all. */
  readonly learnings_left_out: number;
}

export function featureDetails(readModel: ReadView, name: string): FeatureDetails | undefined {
  const feature = findFeature(readModel, name);
  if (!feature) return undefined;
  const { learnings, left_out } = featureLearnings(readModel, name, LEARNINGS_SHOWN);
  return { ...feature, learnings, learnings_left_out: left_out };
}

const LEARNINGS_SHOWN = 50;

/** Disciplines in the order in which they were made. */
export function listDisciplines(readModel: ReadView): Discipline[] {
  return readModel
    .rowsOf({ disciplines: disciplinesTable })
    .disciplines.scan()
    .map(viewDiscipline)
    .sort((a, b) => a.id - b.id);
}

export function findDiscipline(readModel: ReadView, name: string): Discipline | undefined {
  const row = readModel.rowsOf({ disciplines: disciplinesTable }).disciplines.get(name);
  return row && viewDiscipline(row);
}

export interface PolicyView {
  readonly name: PolicyName;
  readonly value: PolicyValue;
  readonly default: PolicyValue;
  /** The position that set it; null for the default. */
  readonly position: number | null;
  /** What it decides, and what it takes. */
  readonly does: string;
  readonly takes: string;
  /** The projection that follows it. */
  readonly read_by: string;
  /** What `what-if` does not know about another value. */
  readonly cannot_know: string;
}

export function listPolicies(readModel: ReadView): PolicyView[] {
  const rows = readModel.rowsOf({ policies });
  return policyNames.map((name) => {
    const { does, takes, absent, readBy: read_by, unknown: cannot_know } = definitions[name];
    const position = rows.policies.get(name)?.position ?? null;
    const value = policyValue(rows, name);
    return { name, value, default: absent, position, does, takes, read_by, cannot_know };
  });
}

function viewFeature({ plan: _, ...row }: Row<typeof featuresTable>): Feature {
  return {
    ...row,
    context_files: parseColumn(row.context_files),
    knowledge_paths: parseColumn(row.knowledge_paths),
    dependencies: parseColumn(row.dependencies),
    agent_fields: parseColumn(row.agent_fields),
  };
}

/** A row of the table as users see it. */
export function viewDiscipline({
  mcp_tool_overrides,
  plan: _,
  ...row
}: Row<typeof disciplinesTable>): Discipline {
  return {
    ...row,
    skills: parseColumn(row.skills),
    disabled_tools: parseColumn(mcp_tool_overrides).additional_disabled,
    mcp_servers: parseColumn(row.mcp_servers),
    agent_fields: parseColumn(row.agent_fields),
  };
}
