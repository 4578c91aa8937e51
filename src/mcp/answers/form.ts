import type { ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { text } from "../../events/types/fields.ts";
import { isBlank } from "../../lib/blank.ts";
import { jsonProblem } from "../../lib/json.ts";
import { oneLine, visible } from "../../lib/visible.ts";
import type { AskedQuestion } from "./asked-question.ts";

/**
 * The form that a client shows: the question as data, each line of the agent quoted with `> `,
 * without control characters. Fields are a flat object of texts, as MCP requires (Elicitation,
 * Requested Schema); one of two optional fields must be filled in, which that schema cannot
 * express.
 *
 * `mode` is left out: the default is a form, even for clients that know no other mode.
 */
export function questionForm({ question, title }: AskedQuestion): ElicitRequestFormParams {
  const { id, task_id, preferred } = question;
  const labels = labelsOf(question);
  const message = [
    `Task ${task_id}: ${visible(title)}`,
    `The agent on this task is waiting for your answer to question ${id}:`,
    "",
    ...linesOf(question.question).map((line) => `> ${line}`),
    ...(preferred === null ? [] : ["", `It prefers: ${labelOf(preferred)}`]),
    "",
    "Your answer is stored in the project's log: include no passwords or keys.",
  ];
  return { message: message.join("\n"), requestedSchema: fieldsFor(labels, preferred) };
}

/** The result of a form, checked loosely, so that no answer is lost because of an empty field. */
export const filledForm = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.looseObject({}).nullish(),
});

/** A human's answer, or a sentence: why there is none. */
export type Filled = { readonly answer: string } | { readonly why: string };

/** Reads the result. Text overrides the choice, which a client may have filled in by default. */
export function readForm(
  { question }: AskedQuestion,
  { action, content }: z.infer<typeof filledForm>,
): Filled {
  if (action === "decline") return { why: "The question was declined." };
  if (action === "cancel") return { why: "The question was closed without an answer." };
  const words = content?.answer;
  const written = typeof words === "string" && !isBlank(words) ? words : undefined;
  const answer = written ?? labelsOf(question).find((label) => label === content?.choice);
  if (answer === undefined) return { why: "The answer was blank." };
  const problem = text.safeParse(answer).success ? jsonProblem(answer, "it") : "it is too long";
  return problem ? { why: `The answer was not recorded: ${problem}.` } : { answer };
}

function fieldsFor(
  labels: readonly string[],
  preferred: string | null,
): ElicitRequestFormParams["requestedSchema"] {
  const words = { type: "string", title: "Answer" } as const;
  if (labels.length === 0) return { type: "object", properties: { answer: words }, required: ["answer"] };
  const first = labels.find((label) => preferred !== null && label === labelOf(preferred));
  const choice = {
    type: "string",
    title: "Option",
    enum: [...labels],
    ...(first !== undefined && { default: first }),
  } as const;
  const answer = { ...words, description: "Your own words, instead of an option." };
  return { type: "object", properties: { choice, answer } };
}

/** The options as shown and recorded: the human chooses what was visible. */
function labelsOf({ options }: AskedQuestion["question"]): string[] {
  return [...new Set((options?.split("\n") ?? []).map(labelOf))];
}

function labelOf(option: string): string {
  return visible(oneLine(option));
}

function linesOf(words: string): string[] {
  return words.split(/\r\n|\n|\r/).map(visible);
}
