import { type ConfigField, configFields, inWords } from "../../src/config/shape.ts";

/** The table of docs/config.md: every field with its default and what it may hold, each kind of agent's own apart. */
export function fieldRows(): string[] {
  const rows = new Map<string, { path: string; shape: ConfigField["shape"]; defaults: Set<string> }>();
  for (const { path, shape } of configFields()) {
    const key = `${path} ${shape.description}`;
    const row = rows.get(key) ?? { path, shape, defaults: new Set() };
    rows.set(key, row);
    row.defaults.add(defaultOf(path, shape.default));
  }
  const paths = [...new Set([...rows.values()].map(({ path }) => path))];
  return [...rows.values()]
    .sort((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path))
    .map(
      ({ path, shape, defaults }) =>
        `| \`${path}\` | ${[...defaults].join(", ")} | ${allowed(shape)} | ${shape.description ?? ""} |`,
    );
}

function allowed(shape: ConfigField["shape"]): string {
  return inWords(shape)
    .replace(/^one of /, "")
    .replace(/^text .*/, "text");
}

function defaultOf(path: string, value: unknown): string {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  return path.endsWith(".kind") ? "required" : "";
}
