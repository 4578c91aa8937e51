import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { packagePath } from "../../src/lib/package-root.ts";

test("every command that a page names is there, with the options named beside it", async () => {
  const program = await createProgram();
  const docs = readdirSync(packagePath("docs")).filter((file) => file.endsWith(".md"));
  const example = readdirSync(packagePath("examples/fleet")).filter((file) => /\.(md|sh)$/.test(file));
  const pages = [
    "README.md",
    "examples/overnight/README.md",
    ...docs.map((file) => `docs/${file}`),
    ...example.map((file) => `examples/fleet/${file}`),
  ];
  const named = pages.flatMap((page) => commandsOn(page).map((words) => ({ page, words })));
  expect(named.length).toBeGreaterThan(150);
  const unknown = named.filter(({ words }) => !isKnown(program, words));
  expect(unknown.map(({ page, words }) => `${page}: signalbox ${words.join(" ")}`)).toEqual([]);
});

test("pages that show output call `init` with --yes, which asks nothing on a terminal", () => {
  const docs = readdirSync(packagePath("docs")).filter((file) => file.endsWith(".md"));
  const shown = ["README.md", ...docs.map((file) => `docs/${file}`)].flatMap((page) =>
    [...readFileSync(packagePath(page), "utf8").matchAll(/^\$ .*signalbox init\b.*$/gm)].map(
      ([line]) => `${page}: ${line}`,
    ),
  );
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.filter((line) => !line.includes(" --yes"))).toEqual([]);
});

/** The words behind `signalbox` in spans and blocks of code. */
function commandsOn(page: string): string[][] {
  const text = readFileSync(packagePath(page), "utf8");
  const blocks = page.endsWith(".sh") ? [text] : (text.match(/^```[\s\S]*?^```/gm) ?? []);
  const lines = [
    ...blocks
      .join("\n")
      .matchAll(/^(?:\$ |exec |docker (?:compose exec|exec|run) .*? )?signalbox(?:-claude)? ([a-z].*)$/gm),
    // The script operator.sh runs them.
    ...[...text.matchAll(/docker compose run --rm operator (\w+)/g)].map(([all, name]) => [
      all,
      `fleet ${name}`,
    ]),
  ];
  const spans = [...text.matchAll(/`signalbox ([a-z][^`\n]*)`/g)];
  return [...lines, ...spans].map(([, words = ""]) => {
    const [command = ""] = words.replace(/'[^']*'|"[^"]*"/g, "TEXT").split(/ [|<>] /);
    return command.trim().split(/\s+/);
  });
}

function isKnown(program: Command, words: readonly string[]): boolean {
  let command = program;
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (!below) break;
    command = below;
  }
  if (command === program) return false;
  const next = words[words.indexOf(command.name()) + 1];
  // A group's own name may stand for all of its commands.
  if (command.commands.length > 0 && next !== undefined && /^[a-z]/.test(next)) return false;
  const known = [command, ...command.commands].flatMap(({ options }) =>
    options.flatMap(({ long }) => (long ? [long, long.replace("--no-", "--")] : [])),
  );
  const options = words.flatMap((word) => /^--[a-z-]+/.exec(word) ?? []);
  return options.every((option) => option === "--help" || known.includes(option));
}
