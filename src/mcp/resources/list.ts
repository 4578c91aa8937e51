import type { Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js";
import { visible } from "../../lib/visible.ts";
import type { RowOf } from "../../read-model/question.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { fixedResources } from "./fixed.ts";
import { type ResourceKind, resourceKinds, templateOf } from "./kinds.ts";
import { uriOf } from "./uri.ts";

/** The most resources on a page. */
const PAGE = 100;

/** The end of a page: after the resource of this kind and place. */
export interface Place {
  readonly kind: number;
  readonly after: number;
}

/** The resources after a place; undefined: from the beginning. Call it in a snapshot. */
export function listPage(readModel: ReadModel, from: Place | undefined): ResourcePage {
  const found: Listed[] = from === undefined ? fixedResources.map(listFixed) : [];
  for (const [index, kind] of resourceKinds.entries()) {
    if (index < (from?.kind ?? 0)) continue;
    const after = index === from?.kind ? from.after : 0;
    // One extra row tells whether there is another page.
    found.push(
      ...readModel.all(kind.of.after, { after, limit: PAGE + 1 - found.length }).map(listRow(kind, index)),
    );
  }
  const page = found.slice(0, PAGE);
  return {
    resources: page.map(({ resource }) => resource),
    next: found.length > PAGE ? page.at(-1)?.place : undefined,
  };
}

export interface ResourcePage {
  readonly resources: Resource[];
  /** The start of the next page; undefined: there is none. */
  readonly next: Place | undefined;
}

/** `resources/templates/list`, which fits one page. */
export function listTemplates(): ResourceTemplate[] {
  return resourceKinds.map((kind) => ({
    uriTemplate: templateOf(kind),
    name: kind.name,
    title: `${kind.noun.charAt(0).toUpperCase()}${kind.noun.slice(1)}`,
    description: kind.description,
    mimeType: "application/json",
  }));
}

/**
 * Differs if and only if the listed set differs. Places increase and are never reused: an addition
 * raises the highest one, and a deletion lowers the count.
 */
export function listFingerprint(readModel: ReadModel): string {
  return JSON.stringify(resourceKinds.map(({ of }) => readModel.get(of.count, {})));
}

interface Listed {
  readonly resource: Resource;
  readonly place?: Place;
}

function listFixed({ name, title, description, mimeType }: (typeof fixedResources)[number]): Listed {
  return { resource: { uri: `ralph://${name}`, name, title, description, mimeType } };
}

function listRow(
  { name, description }: ResourceKind,
  kind: number,
): (row: RowOf<ResourceKind["of"]["after"]>) => Listed {
  return ({ place, key, title }) => ({
    place: { kind, after: place },
    resource: {
      uri: uriOf(name, key),
      name: `${name}/${key}`,
      title: visible(title),
      description,
      mimeType: "application/json",
    },
  });
}
