import type { ReadModel } from "../../projections/read-model.ts";
import { quoted, wrongParams } from "./faults.ts";
import { type ResourceKind, resourceKinds, templateOf } from "./kinds.ts";

/** The most values that one answer may have (MCP, Completion). */
const LIMIT = 100;

export interface Completion {
  /** As they are, not encoded: they are to be filled into the template. */
  readonly values: string[];
  /** How many there are in all. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** The ids or names that begin so: the one that is just this first, then the newest first. */
export function completeKey(readModel: ReadModel, { of }: ResourceKind, begun: string): Completion {
  const values = readModel.all(of.begun, { begun, limit: LIMIT }).map(({ key }) => key);
  const total = readModel.get(of.countBegun, { begun })?.total ?? 0;
  return { values, total, hasMore: total > values.length };
}

/** What a completion is asked of. @throws McpError -32602: there is no such template or variable */
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
