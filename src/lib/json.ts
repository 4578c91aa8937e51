/** The value of a JSON text; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DEPTH_LIMIT = 32;

/**
 * Why a value would not survive a round trip through JSON text, or undefined if it would: JSON
 * drops `undefined`, turns NaN into null and -0 into 0, and changes a lone surrogate.
 */
export function jsonProblem(value: unknown, path = "payload"): string | undefined {
  // The path to a fault is only built when there is one; nearly always there is none.
  return comesBack(value, 0) ? undefined : problemAt(value, path, 0);
}

function comesBack(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return problemAt(value, "", depth) === undefined;
  if (depth >= DEPTH_LIMIT) return false;
  if (Array.isArray(value)) {
    // A loop by index, since `every` skips holes.
    for (let index = 0; index < value.length; index++) if (!comesBack(value[index], depth + 1)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  for (const key of Object.keys(value)) {
    if (key === "__proto__" || !key.isWellFormed()) return false;
    if (!comesBack((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function problemAt(value: unknown, path: string, depth: number): string | undefined {
  if (depth > DEPTH_LIMIT) return `${path} is nested deeper than ${DEPTH_LIMIT} levels`;
  switch (typeof value) {
    case "string":
      return value.isWellFormed()
        ? undefined
        : `${path} has half of a surrogate pair, which is not a character`;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? undefined
        : `${path} is a number that JSON cannot represent`;
    case "boolean":
      return undefined;
    case "object":
      if (value === null) return undefined;
      return Array.isArray(value) ? problemInArray(value, path, depth) : problemInObject(value, path, depth);
    default:
      return `${path} is ${typeof value}, which JSON cannot represent`;
  }
}

function problemInArray(values: readonly unknown[], path: string, depth: number): string | undefined {
  for (let index = 0; index < values.length; index++) {
    const problem = problemAt(values[index], `${path}[${index}]`, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

function problemInObject(value: object, path: string, depth: number): string | undefined {
  if (!isPlain(value)) return `${path} is not a plain object`;
  for (const [key, member] of Object.entries(value)) {
    if (key === "__proto__") return `${path} has a field named __proto__, which cannot be stored`;
    const problem = key.isWellFormed()
      ? problemAt(member, `${path}.${key.slice(0, 100)}`, depth + 1)
      : `${path} has a field whose name has half of a surrogate pair`;
    if (problem) return problem;
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
