import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandReader, ownLines } from "../../adapters/agents/command/stream.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { clients } from "../../src/loop/agent/clients.ts";
import { problemOf } from "../../src/loop/agent/problem.ts";
import { clientNames } from "../../src/mcp/client-names.ts";
import { agentSection, comparisons, kinds } from "./clients-agents.ts";
import { ownClientSection } from "./clients-own.ts";

const MARK = "<!-- From here on made from the definitions: npx vitest run test/docs -u -->\n";

/** People write the page's beginning; all else is made from src/loop/agent, src/mcp/client-configs.ts and test/clients. */
test("docs/clients.md says of every client what its definition says, and which cases were tried with it", async () => {
  const [byHand = ""] = readFileSync(packagePath("docs/clients.md"), "utf8").split(MARK);
  const page = [
    "## Agents of the loop",
    "",
    ...comparisons(),
    ...kinds.flatMap(agentSection),
    "### Another program",
    "",
    "An agent of kind `command` reports with lines of JSON on its standard output. Lines in the form of Claude Code's `stream-json`",
    "work too. Its environment has the variables of our server: if it starts the server with them, the loop sees the connection.",
    "",
    "| line | meaning |",
    "|---|---|",
    ...ownLines.map(({ line, means }) => `| \`${line}\` | ${means} |`),
    "",
    "## Your own client",
    "",
    ...(await Promise.all(clientNames.map(ownClientSection))).flat(),
  ];
  await expect(byHand + MARK + page.join("\n")).toMatchFileSnapshot("../../docs/clients.md");
});

test("what a definition says is a client's usage limit is taken for one", () => {
  const words = kinds.flatMap((kind) => clients[kind].about.limits.map(({ words }) => words));
  expect(words.length).toBeGreaterThan(10);
  expect(words.filter((text) => problemOf(undefined, text).kind !== "limit")).toEqual([]);
});

test("each line that another program may print is understood", () => {
  const read = commandReader();
  const facts = ownLines.map(({ line }) => read({ text: line, from: "stdout", at: new Date(0) }).length);
  expect(facts).toEqual(ownLines.map(() => 1));
});
