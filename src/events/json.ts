const DEPTH_LIMIT = 32;

/**
 * Says why a value would not come back from JSON text as it went in, or undefined if it would: JSON drops
 * `undefined`, turns NaN into null and -0 into 0, and a lone surrogate comes back changed (design.md, traps).
 */
export function jsonProblem(value: unknown, path = "payload", depth = 0): string | undefined {
  if (depth > DEPTH_LIMIT) return `${path} is nested deeper than ${DEPTH_LIMIT} levels`;
  switch (typeof value) {
    case "string":
      return loneSurrogate.test(value)
        ? `${path} has half of a surrogate pair, which is no character`
        : undefined;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? undefined
        : `${path} is a number without JSON form`;
    case "boolean":
      return undefined;
    case "object":
      if (value === null) return undefined;
      return Array.isArray(value) ? problemInArray(value, path, depth) : problemInObject(value, path, depth);
    default:
      return `${path} is ${typeof value}, which JSON has no form for`;
  }
}

/** `String.prototype.isWellFormed`, which the compiler's library does not know for Node 20. */
const loneSurrogate = /\p{Surrogate}/u;

function problemInArray(values: readonly unknown[], path: string, depth: number): string | undefined {
  for (let index = 0; index < values.length; index++) {
    const problem = jsonProblem(values[index], `${path}[${index}]`, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

function problemInObject(value: object, path: string, depth: number): string | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${path} is not a plain object`;
  for (const [key, member] of Object.entries(value)) {
    if (key === "__proto__") return `${path} has a field named __proto__, which cannot be kept`;
    const problem = loneSurrogate.test(key)
      ? `${path} has a field whose name has half of a surrogate pair`
      : jsonProblem(member, `${path}.${key.slice(0, 100)}`, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}
