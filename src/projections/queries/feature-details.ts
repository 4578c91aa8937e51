import type { TaskStatus } from "../../events/types/fields.ts";
import type { ReadModel } from "../read-model.ts";
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

export function featureDetails(readModel: ReadModel, name: string): FeatureDetails | undefined {
  const feature = findFeature(readModel, name);
  return (
    feature && {
      ...feature,
      tasks: countsIn(readModel, name),
      learnings: readModel
        .prepared<[string], FeatureLearning>(LEARNINGS)
        .all(JSON.stringify(realmsOfFeature(readModel, name))),
    }
  );
}

function countsIn(readModel: ReadModel, feature: string): FeatureDetails["tasks"] {
  const counts = readModel
    .prepared<[string], { status: TaskStatus; count: number }>(
      "SELECT status, count(*) AS count FROM tasks WHERE feature = ? GROUP BY status ORDER BY status",
    )
    .all(feature);
  return Object.fromEntries(counts.map(({ status, count }) => [status, count]));
}

const LEARNINGS = `
  SELECT id, text, kind, rationale, confirmations, created, last_confirmed
  FROM learnings WHERE scope = 'feature' AND mark <> 'retired' AND realm IN (SELECT value FROM json_each(?))
  ORDER BY last_confirmed, id`;
