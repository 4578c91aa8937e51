import type { ReadModel } from "../../read-model/read-model.ts";
import { quoted, wrongParams } from "./faults.ts";
import { type ResourceKind, resourceKinds, templateOf } from "./kinds.ts";

/** The most values that one answer may have (MCP, Completion). */
const LIMIT = 100;

export interface Completion {
  /** Unencoded: the client fills them into the template. */
  readonly values: string[];
  /** The total number of matches. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** The ids or names with this beginning: an exact match first, then newest first. */
export function completeKey(readModel: ReadModel, { of }: ResourceKind, begun: string): Completion {
  const values = readModel.all(of.begun, { begun, limit: LIMIT }).map(({ key }) => key);
  const total = readModel.get(of.countBegun, { begun })?.total ?? 0;
  return { values, total, hasMore: total > values.length };
}

/** The template and variable of a completion. @throws RequestError -32602 if unknown */
export function kindToComplete(reference: Reference, variable: string): ResourceKind {
  if (reference.type !== "ref/resource") {
    throw wrong(`this server has no prompts; it completes ${variables()}`);
  }
  const kind = resourceKinds.find((one) => templateOf(one) === reference.uri);
  if (!kind)
    throw wrong(`there is no template ${quoted(reference.uri ?? "")}; the templates are ${variables()}`);
  if (kind.variable !== variable) {
    throw wrong(
      `${templateOf(kind)} has no argument ${quoted(variable)}; its argument is "${kind.variable}"`,
    );
  }
  return kind;
}

interface Reference {
  readonly type: "ref/prompt" | "ref/resource";
  readonly uri?: string | undefined;
}

function wrong(problem: string) {
  return wrongParams("completion/complete", `${problem}.`);
}

function variables(): string {
  return resourceKinds.map((kind) => `"${kind.variable}" of ${templateOf(kind)}`).join(", ");
}
