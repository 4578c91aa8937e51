import { type PolicyName, policyDefaults, policyNames } from "../../events/types/policies.ts";
import { policies } from "../board/tables.ts";
import { disciplinesTable } from "../disciplines.ts";
import { featuresTable } from "../features.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";

/** A feature as users see it: the columns of the table, its files as a list. */
export interface Feature extends Omit<Row<typeof featuresTable>, "context_files"> {
  readonly context_files: string[];
}
export type Discipline = Row<typeof disciplinesTable>;

/** Features in the order in which they were made. */
export function listFeatures(readModel: ReadModel): Feature[] {
  return readModel
    .rowsOf({ features: featuresTable })
    .features.where({})
    .map((row) => ({ ...row, context_files: JSON.parse(row.context_files) }))
    .sort((a, b) => a.id - b.id);
}

/** Disciplines in the order in which they were made. */
export function listDisciplines(readModel: ReadModel): Discipline[] {
  return readModel
    .rowsOf({ disciplines: disciplinesTable })
    .disciplines.where({})
    .sort((a, b) => a.id - b.id);
}

export interface PolicyView {
  readonly name: PolicyName;
  readonly value: number;
  /** The position that set it; null for the default. */
  readonly position: number | null;
}

export function listPolicies(readModel: ReadModel): PolicyView[] {
  const rows = readModel.rowsOf({ policies });
  return policyNames.map((name) => {
    const set = rows.policies.get(name);
    return { name, value: set?.value ?? policyDefaults[name], position: set?.position ?? null };
  });
}
