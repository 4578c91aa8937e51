import { cpus, release } from "node:os";
import { CASES } from "./cases/all.ts";
import type { Row } from "./runner.ts";

/** The results as a page of Markdown. @param scale how often things were tried */
export function writeTable(rows: readonly Row[], scale: number): string {
  const tools = [...new Set(rows.map(({ adapter }) => adapter))];
  const find = (tool: Row["adapter"], name: string) =>
    rows.find((row) => row.adapter === tool && row.case.name === name);
  const cases = CASES.map((each) => [each.name, ...tools.map((tool) => verdict(find(tool, each.name)))]);
  return `# Results of the torture suite

<!-- Written by \`npm run torture\`. Do not edit. -->

${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, Linux ${release()}, ${cpus().length} cores, at scale ${scale}. [README.md](README.md) says how to run it again.

${table(["case", ...tools.map(({ name, version }) => `${name} ${version}`)], cases)}

*held*: no fault was seen. *failed*: its docs promise it, and it failed. *failed, not promised*: its docs say nothing of the kind. *cannot be asked*: it has no such operation, or this machine cannot show it; the list says which.

${table(
  ["tool", "what it keeps, and how it was used"],
  tools.map(({ name, about }) => [name, about]),
)}
${CASES.map(({ name, does, holds }) => {
  const seen = tools.map((tool) => [
    tool.name,
    verdict(find(tool, name)),
    find(tool, name)?.what ?? "",
    tool.docs[name].says,
  ]);
  return `
## ${name[0]?.toUpperCase()}${name.slice(1)}

${does} ${holds}

${table(["tool", "result", "what was seen", "its docs"], seen)}
`;
}).join("")}`;
}

function verdict(row: Row | undefined): string {
  if (!row) return "not run";
  if (row.result === "not asked") return "cannot be asked";
  return row.result === "failed" && !row.adapter.docs[row.case.name].promised
    ? "failed, not promised"
    : row.result;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
