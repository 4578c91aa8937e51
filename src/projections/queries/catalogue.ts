import { type PolicyName, policyDefaults, policyNames } from "../../events/types/policies.ts";
import { policies } from "../board/tables.ts";
import { disciplinesTable } from "../disciplines.ts";
import { featuresTable } from "../features.ts";
import type { ReadModel } from "../read-model.ts";
import type { Row } from "../table.ts";

export type Feature = Row<typeof featuresTable>;
export type Discipline = Row<typeof disciplinesTable>;

/** Features in the order in which they were made. */
export function listFeatures(readModel: ReadModel): Feature[] {
  return readModel
    .rowsOf({ features: featuresTable })
    .features.where({})
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
