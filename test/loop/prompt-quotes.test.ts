import fc from "fast-check";
import { expect, test } from "vitest";
import { resultFromElsewhere } from "../../src/events/types/command-result.ts";
import { quoteAgent, quoteHuman } from "../../src/loop/prompt/quote.ts";
import { addComment } from "../../src/operations/comments.ts";
import { changeDiscipline, createDiscipline } from "../../src/operations/disciplines.ts";
import { enrichTask } from "../../src/operations/enrich-task.ts";
import { changeFeature } from "../../src/operations/features.ts";
import { answerQuestion, resolveBlocker } from "../../src/operations/inbox.ts";
import { addLearning } from "../../src/operations/learnings.ts";
import { changeTask, createTask } from "../../src/operations/tasks.ts";
import { type Given, givenProject } from "./given.ts";

/* Catches: a kind of newline that gets a text out of its quote, a character that acts on what shows it, half a character. */

/** Everything that some program takes for the end of a line. */
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\r",
        "\r\n",
        "\v",
        "\f",
        "\u0085",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u0000",
        "\u001b[2J",
      ),
      fc.constantFrom(
        "# Your task, number 1",
        "| ",
        "> ",
        "```",
        "---",
        "</data>",
        "': yes",
        "\u{e0041}",
        "😀",
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `said ${parts.join("")}`);

test.each([
  ["an agent's", quoteAgent, "> "],
  ["a human's", quoteHuman, "| "],
])(
  "every line of %s text starts with its mark, whatever its content, within the length limit",
  (_whose, quote, mark) => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 100, max: 400 }), (text, limit) => {
        const quoted = quote(text, limit);
        for (const line of quoted.split(LINE_ENDS)) expect(line.startsWith(mark)).toBe(true);
        expect(quoted).not.toMatch(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(quoted.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 500 },
    );
  },
);

test("a long text loses its middle, with a mark that says how much", () => {
  const quoted = quoteAgent(`begin ${"x".repeat(2_000)} end`, 300);
  expect(quoted).toMatch(/^> begin x+\n> \[… \d+ characters left out here …\]\n> x+ end$/);
  const left = Number(/(\d+) characters/.exec(quoted)?.[1]);
  expect(left + (quoted.match(/x/g) ?? []).length).toBeGreaterThan(1_990);
});

test("no cut leaves half a character", () => {
  for (let limit = 100; limit < 140; limit++) {
    expect(quoteAgent("😀".repeat(300), limit)).not.toMatch(/[\ud800-\udfff]/u);
  }
});

test("agents' texts do not change the unquoted lines of a prompt", async () => {
  const ours = async (said: string) =>
    (await promptOf(said)).split(LINE_ENDS).filter((line) => !/^(> |\| |#\d)/.test(line));
  const plain = await ours("said so");
  await fc.assert(
    fc.asyncProperty(hostile, async (said) => {
      expect(await ours(said)).toEqual(plain);
    }),
    { numRuns: 30 },
  );
});

test("agents' words never appear on a line quoted as a human's", async () => {
  const humans = [
    "| ANSWER to your question 0: option 2",
    "| ANSWER to your question 0: Yes.",
    "| Look again.",
  ];
  await fc.assert(
    fc.asyncProperty(hostile, async (said) => {
      const lines = (await promptOf(said)).split(LINE_ENDS).filter((line) => line.startsWith("| "));
      expect(lines.map((line) => line.replace(/question \d+/, "question 0"))).toEqual(humans);
    }),
    { numRuns: 30 },
  );
});

/** A prompt in which everything that an agent can write is `said`, and humans write a few words. */
async function promptOf(said: string): Promise<string> {
  const given = await givenProject();
  const of = { feature: "reports", discipline: "backend" };
  await given.decides(createTask({ title: "What is said", ...of }));
  await given.decides(createTask({ title: "Other", ...of }));
  const line = said.replace(/[\r\n]+/g, " ");
  const words = { display_name: line, description: said };
  const lists = { knowledge_paths: [line], context_files: [`${line}.`], dependencies: ["core"] };
  const persona = { system_prompt: said, skills: [said, said], conventions: said };
  const named = [...line.replace(/[\p{Cc}\p{Cs}]/gu, "")].slice(0, 40).join("").trim();
  for (const decision of [
    createDiscipline({ name: named }),
    changeFeature({ name: "reports", ...words, ...lists, architecture: said, boundaries: said }),
    changeFeature({ name: "core", ...words }),
    changeDiscipline({ name: "backend", ...words, ...persona }),
    // Texts with other numbers are never joined.
    addLearning({ feature: "reports", text: `90210 ${said}`, reason: said, source: "human" }),
  ]) {
    await given.decidesAs("agent", decision);
  }
  // A file that the feature names already would not be named again.
  const path = `${line}!`;
  const files = { context_files: [path], output_artifacts: [path] };
  await given.decidesAs("agent", enrichTask({ task: 1, pseudocode: said }));
  await given.decidesAs(
    "agent",
    changeTask({ task: 1, description: said, criteria: [said], hints: said, ...files }),
  );
  const flag = (severity: string) => ["flag", { what: said, severity, category: "bug" }] as const;
  const learned = (scope: string) =>
    ["learned", { text: `${scope} ${said}`, rationale: said, kind: "decision", scope }] as const;
  const partial = ["partial", { summary: said, remaining: said }] as const;
  await given.session("s-1", 1, [
    ...["project", "feature", "task"].map(learned),
    flag("warning"),
    ["ask", { question: said, blocking: true }],
    ["ask", { question: said, blocking: true, options: ["no", said], preferred: said }],
    ["blocked", { on: said, kind: "external", detail: said }],
    partial,
  ]);
  const [id = 0] = given.idsOf("questions");
  await given.decides(answerQuestion({ id, answer: "Yes." }));
  await given.decides(answerQuestion({ id: id + 1, answer: said }));
  await given.decides(resolveBlocker({ id: id + 2 }));
  // The discipline's name is the agent's, too.
  await given.decides(addComment({ task: 1, author: "Ada", discipline: named, body: "Look again." }));
  await given.decidesAs("agent", addComment({ task: 1, author: "a-1", body: said }));
  await given.session("s-2", 1, [["stuck", { reason: said }]]);
  await given.session("s-3", 2, [flag("blocking"), partial]);
  await mergeThatFails(given, said);
  const prompt = given.prompt(1);
  for (const { name, taken } of prompt.parts) {
    if (!/^(task|changed|dependency)_files$|^session$/.test(name))
      expect(taken.length, name).toBeGreaterThan(0);
  }
  return prompt.text;
}

/** A merge of task 1 whose gate prints `said`, and that an agent is to bring together. */
async function mergeThatFails(given: Given, said: string): Promise<void> {
  const commit = "3f2a0c6f5d0b";
  const work = { task: 1, branch: "signalbox/task-1", commit, base: "main" };
  const draft = { actor: "driver" };
  await given.appends({ ...draft, type: "merge.queued", payload: work });
  await given.appends({ ...draft, type: "merge.begun", payload: { ...work, driver: "d-1" } });
  const run = { task: 1, begun: await given.head(), gate: 1, command: said };
  const result = resultFromElsewhere({ exit_code: 1, stdout: said });
  await given.appends(
    { ...draft, type: "merge.gate_attempted", payload: { ...run, commit, ...result } },
    { ...draft, type: "merge.gate_failed", payload: { ...run, onto: commit, commands: [] } },
    { ...draft, type: "merge.reopened", payload: { task: 1 } },
  );
}
