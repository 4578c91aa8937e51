import type { QueryOf } from "../../../server/answers/index.ts";
import type { Address } from "../../address.ts";
import { learningKinds, learningMarks, learningScopes, visible } from "../../core.ts";
import { TEXT_LIMIT } from "../../filter.ts";
import { unknownValueError } from "../../parts/invalid-address.tsx";

export type Filter = Omit<QueryOf<"learnings">, "row">;

/** The filter in the address, or what is wrong with it. */
export function filterIn({ get }: Pick<Address, "get">): Filter | { readonly wrong: string } {
  const [scope, kind, mark] = [get("scope"), get("kind"), get("mark")];
  const wrong =
    unknownValueError("scope", scope, learningScopes) ??
    unknownValueError("kind", kind, learningKinds) ??
    unknownValueError("mark", mark, learningMarks);
  if (wrong !== undefined) return { wrong };
  return {
    text: get("text")?.slice(0, TEXT_LIMIT),
    scope: learningScopes.find((one) => one === scope),
    kind: learningKinds.find((one) => one === kind),
    mark: learningMarks.find((one) => one === mark),
  };
}

export const NO_FILTER = { text: undefined, scope: undefined, kind: undefined, mark: undefined };

/** The filter in words: `“utc”, kind convention`. */
export function filterInWords({ text, scope, kind, mark }: Filter): string {
  return [
    text && `“${visible(text)}”`,
    scope && `scope ${scope}`,
    kind && `kind ${kind}`,
    mark && (mark === "none" ? "unmarked" : mark),
  ]
    .filter(Boolean)
    .join(", ");
}
