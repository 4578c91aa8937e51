/**
 * The differences of two JSON values, each as `path: expected X, got Y`; empty if they are equal.
 * The order of fields is ignored, the order of lists counts.
 */
export function differences(expected: unknown, actual: unknown, path = ""): string[] {
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => differences(expected[key], actual[key], path ? `${path}.${key}` : key));
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((value, index) => differences(value, actual[index], `${path}[${index}]`));
  }
  const [wanted, got] = [expected, actual].map((value) => JSON.stringify(value) ?? "nothing");
  return wanted === got ? [] : [`${path}: expected ${wanted}, got ${got}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
