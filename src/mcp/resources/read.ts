import type { ReadModel } from "../../projections/read-model.ts";
import { fixedResources } from "./fixed.ts";
import { resourceKinds } from "./kinds.ts";
import { splitUri } from "./uri.ts";

/** What a resource shows now. */
export interface Content {
  readonly mimeType: string;
  readonly text: string;
}

/** Undefined if no resource has this URI. To be called in a snapshot. */
export function findContent(readModel: ReadModel, uri: string): Content | undefined {
  const fixed = fixedResources.find(({ name }) => uri === `ralph://${name}`);
  if (fixed) return { mimeType: fixed.mimeType, text: fixed.show(readModel) };
  const named = splitUri(uri);
  const kind = resourceKinds.find(({ name }) => name === named?.kind);
  // Text that others wrote stays data: it is inside of JSON.
  const shown = named && kind?.show(readModel, named.key);
  return shown && { mimeType: "application/json", text: JSON.stringify(shown) };
}
