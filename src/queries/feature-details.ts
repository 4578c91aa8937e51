import type { TaskStatus } from "../events/types/fields.ts";
import { question, valuesIn } from "../read-model/question.ts";
import type { ReadView } from "../read-model/read-view.ts";
import { type Feature, findFeature } from "./catalogue.ts";
import { realmsOfFeature } from "./feature-learnings.ts";

/** A feature with what was learned in it, and how far its tasks are. */
export interface FeatureDetails extends Feature {
  /** How many of its tasks have each status; a status that none has is absent. */
  readonly tasks: Partial<Record<TaskStatus, number>>;
  /** Those of scope `feature`, the last confirmed last. */
  readonly learnings: readonly FeatureLearning[];
}

interface FeatureLearning {
  readonly id: number;
  readonly text: string;
  readonly kind: string;
  readonly rationale: string | null;
  readonly confirmations: number;
  readonly created: string;
  readonly last_confirmed: string;
}

export function featureDetails(readModel: ReadView, name: string): FeatureDetails | undefined {
  const feature = findFeature(readModel, name);
  return (
    feature && {
      ...feature,
      tasks: countsIn(readModel, name),
      learnings: readModel.all(LEARNINGS, { realms: JSON.stringify(realmsOfFeature(readModel, name)) }),
    }
  );
}

function countsIn(readModel: ReadView, feature: string): FeatureDetails["tasks"] {
  const counts = readModel.all(COUNTS, { feature });
  return Object.fromEntries(counts.map(({ status, count }) => [status, count]));
}

const LEARNINGS = question<{ realms: string }>()((tables, given) =>
  tables
    .selectFrom("learnings")
    .select(["id", "text", "kind", "rationale", "confirmations", "created", "last_confirmed"])
    .where("scope", "=", "feature")
    .where("mark", "<>", "retired")
    .where("realm", "in", valuesIn<string>(given("realms")))
    .orderBy("last_confirmed")
    .orderBy("id"),
);
const COUNTS = question<{ feature: string }>()((tables, given) =>
  tables
    .selectFrom("tasks")
    .select((column) => ["status", column.fn.countAll<number>().as("count")])
    .where("feature", "=", given("feature"))
    .groupBy("status")
    .orderBy("status"),
);
