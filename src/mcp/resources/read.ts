import type { ReadModel } from "../../read-model/read-model.ts";
import { fixedResources } from "./fixed.ts";
import { resourceKinds } from "./kinds.ts";
import { splitUri } from "./uri.ts";

/** The current content of a resource. */
export interface Content {
  readonly mimeType: string;
  readonly text: string;
}

/** Undefined if there is no such resource. Call it in a snapshot. */
export function findContent(readModel: ReadModel, uri: string): Content | undefined {
  const fixed = fixedResources.find(({ name }) => uri === `ralph://${name}`);
  if (fixed) return { mimeType: fixed.mimeType, text: fixed.show(readModel) };
  const named = splitUri(uri);
  const kind = resourceKinds.find(({ name }) => name === named?.kind);
  // Others' text stays data: it is inside JSON.
  const shown = named && kind?.show(readModel, named.key);
  return shown && { mimeType: "application/json", text: JSON.stringify(shown) };
}
