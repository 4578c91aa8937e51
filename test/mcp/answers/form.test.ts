import { ElicitRequestFormParamsSchema } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlank } from "../../../src/lib/blank.ts";
import type { AskedQuestion } from "../../../src/mcp/answers/asked-question.ts";
import { questionForm, readForm } from "../../../src/mcp/answers/form.ts";
import { callTool } from "../../support/mcp.ts";
import { givenHuman } from "./given.ts";

/* Catches: text of an agent that passes for ours, or acts on what shows it; a form that some clients cannot show. */

const asked = ({
  question = "Sync or async?",
  options = null,
  preferred = null,
  title = "Export as CSV",
}: {
  question?: string;
  options?: string | null;
  preferred?: string | null;
  title?: string;
} = {}): AskedQuestion => ({
  question: {
    id: 42,
    task_id: 7,
    session_id: "s-1",
    question,
    options,
    preferred,
    blocking: 1,
    late: 0,
    state: "raised",
    state_without_act: null,
    answer: null,
    acted_at: null,
    created: "2026-11-21 12:00:00.000000",
  },
  title,
  ended: false,
  position: 42,
});

test("the form names the asking agent, the preferred option, and that the answer is recorded", () => {
  const { message } = questionForm(asked({ question: "Sync\nor async?", preferred: "sync" }));
  expect(message).toBe(
    [
      "Task 7: Export as CSV",
      "The agent on this task is waiting for your answer to question 42:",
      "",
      "> Sync",
      "> or async?",
      "",
      "It prefers: sync",
      "",
      "Your answer is stored in the project's log: include no passwords or keys.",
    ].join("\n"),
  );
});

test("without options the form has one field, and it must be filled in", () => {
  expect(questionForm(asked()).requestedSchema).toEqual({
    type: "object",
    properties: { answer: { type: "string", title: "Answer" } },
    required: ["answer"],
  });
});

test("with options the form has a choice, the preferred one chosen, and room for other words", () => {
  expect(questionForm(asked({ options: "sync\nasync", preferred: "async" })).requestedSchema).toEqual({
    type: "object",
    properties: {
      choice: { type: "string", title: "Option", enum: ["sync", "async"], default: "async" },
      answer: { type: "string", title: "Answer", description: "Your own words, instead of an option." },
    },
  });
});

test.each([
  ["nothing is preferred", null],
  ["what is preferred is no option", "both"],
])("where %s, no option is chosen beforehand", (_what, preferred) => {
  const { properties } = questionForm(asked({ options: "sync\nasync", preferred })).requestedSchema;
  expect(properties.choice).not.toHaveProperty("default");
});

const nasty = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom("\u001b[2J", "\u202e", "\r", "\n", "\u2028", "\u{e0041}", "> ", "# "),
    ),
  )
  .map((parts) => parts.join(""))
  .filter((words) => !isBlank(words));

test("each line of an agent's text in the form is quoted, without control characters", () => {
  fc.assert(
    fc.property(
      nasty,
      nasty,
      fc.array(nasty, { maxLength: 5 }),
      nasty,
      (question, title, options, preferred) => {
        const given = asked({ question, title, options: options.join("\n"), preferred });
        const form = questionForm(given);
        const lines = form.message.split("\n");
        expect(
          lines
            .slice(4, -4)
            .every((line) => line.startsWith("It prefers: ") || line === "" || line.startsWith("> ")),
        ).toBe(true);
        expect(lines.filter((line) => line.startsWith("> "))).toHaveLength(
          question.split(/\r\n|\n|\r/).length,
        );
        for (const shown of [...lines, ...JSON.stringify(form.requestedSchema).split("\\n")]) {
          expect(shown).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
      },
    ),
  );
});

test("for any options, the form is valid in MCP, and each option can be chosen", () => {
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 50 }), nasty, (options, preferred) => {
      const given = asked({ options: options.join("\n"), preferred });
      const form = questionForm(given);
      expect(ElicitRequestFormParamsSchema.parse(form)).toEqual(form);
      const { choice } = form.requestedSchema.properties;
      const labels = choice !== undefined && "enum" in choice ? choice.enum : [];
      expect(new Set(labels).size).toBe(labels.length);
      for (const label of labels.filter((one) => !isBlank(one))) {
        expect(readForm(given, { action: "accept", content: { choice: label } })).toEqual({ answer: label });
      }
    }),
  );
});

test("a question with control and bidi characters is shown as escapes, through the tool too", async () => {
  const { agent, human, project } = await givenHuman();
  const call = callTool(agent, "ask", {
    question: "Delete\u001b[2J \u202eall?\nTask 1: harmless",
    blocking: true,
    options: ["yes\u0007", "two\nlines"],
    preferred: "yes\u0007",
  });
  const form = await human.form();
  expect(form.params.message).toContain("> Delete\\u{1b}[2J \\u{202e}all?\n> Task 1: harmless\n");
  expect(form.params.message).toContain("It prefers: yes\\u{7}\n");
  expect(form.params.requestedSchema.properties.choice).toMatchObject({
    enum: ["yes\\u{7}", "two lines"],
    default: "yes\\u{7}",
  });
  form.answer({ action: "accept", content: { choice: "two lines" } });
  expect((await call).structured).toMatchObject({ answer: "two lines" });
  const [event] = await project.log.read((await project.log.head()) - 1, 1);
  expect(event?.payload).toMatchObject({ answer: "two lines" });
});
