import { type Feature, findFeature } from "../../queries/catalogue.ts";
import type { Context } from "./context.ts";
import type { Entry } from "./part.ts";
import { quoteOf } from "./quote.ts";

/**
 * The files that the task's feature names: first those to read first, then the useful ones.
 *
 * @param fresh false for a path that was already named
 */
export function featureFiles({ readModel, task }: Context, fresh: (path: string) => boolean): Entry[] {
  const feature = findFeature(readModel, task.feature);
  if (!feature) return [];
  const first = entriesOf(feature, "knowledge_paths", fresh);
  const others = entriesOf(feature, "context_files", fresh);
  if (first.length === 0) return others;
  return [
    ...titled("Read these before anything else:", first),
    ...titled("\nThese are also useful:", others),
  ];
}

function entriesOf(
  feature: Feature,
  field: "knowledge_paths" | "context_files",
  fresh: (path: string) => boolean,
): Entry[] {
  const quote = quoteOf(feature, field);
  return feature[field].filter(fresh).map((path) => ({
    text: quote(path, PATH_LIMIT),
    positions: [feature.id],
    why: `its ${field.replace("_", " ")}`,
  }));
}

/** The title is part of the first entry, and so is never alone: cutting starts at the end. */
function titled(title: string, [first, ...others]: readonly Entry[]): Entry[] {
  return first ? [{ ...first, text: `${title}\n${first.text}` }, ...others] : [];
}

/** In characters. */
const PATH_LIMIT = 500;
