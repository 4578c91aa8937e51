import { hash } from "node:crypto";
import { isBlank } from "../../lib/blank.ts";
import { closingTools } from "../../mcp/launching/closing.ts";
import type { RecipeName } from "../../mcp/recipes.ts";
import { findDiscipline } from "../../queries/catalogue.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { fitParts } from "./budget.ts";
import { disciplinePart, featurePart } from "./catalogue.ts";
import { agentCommentsPart, commentsPart } from "./comments.ts";
import { openContext, taskOfPrompt } from "./context.ts";
import { fileParts } from "./files.ts";
import { featureFlagsPart, flagsPart } from "./flags.ts";
import { answersPart, lastSessionPart, stuckPart } from "./history.ts";
import { instructionsPart } from "./instructions.ts";
import {
  type LearningEntry,
  type LearningsPart,
  learningParts,
  RELEVANT_ROOM,
  relevantPart,
} from "./learnings.ts";
import { mergePart } from "./merge.ts";
import { CHARACTERS_PER_TOKEN, type FittedPart, PART_NAMES, type Part, type Prompt } from "./part.ts";
import { PromptError } from "./prompt-error.ts";
import { inLine } from "./quote.ts";
import { renderPrompt } from "./render.ts";
import { taskPart } from "./task.ts";
import { unblockedPart } from "./unblocked.ts";

export interface PromptOptions {
  readonly task: number;
  /** The size limit in tokens, estimated as characters divided by 4. */
  readonly tokens: number;
  /** The recipe of the agent that reads it; absent: `signals`. */
  readonly recipe?: RecipeName | undefined;
  /** The session that reads it; absent: the prompt does not name one. */
  readonly session?: string | undefined;
}

/**
 * Builds the prompt of a task's next session. A pure function of the read model at its position:
 * the same position gives the same prompt, byte for byte.
 *
 * @throws NoClosingVerbError: its reader could not close the session
 * @throws PromptError `not_found`; `too_large`; `empty_part`: a required text is blank
 */
export function buildPrompt(readModel: ReadModel, options: PromptOptions): Prompt {
  return readModel.snapshot(() => build(readModel, options));
}

function build(
  readModel: ReadModel,
  { task: id, tokens, recipe = "signals", session }: PromptOptions,
): Prompt {
  const task = taskOfPrompt(readModel, id);
  const discipline = findDiscipline(readModel, task.discipline);
  const instructions = instructionsPart(closingTools({ recipe, discipline }));
  const characters = tokens * CHARACTERS_PER_TOKEN;
  const room = characters - (instructions.entries[0]?.text.length ?? 0);
  const context = openContext(readModel, task, { room, session });
  const parts: Part[] = [
    instructions,
    featurePart(context),
    disciplinePart(context),
    taskPart(context),
    ...(context.task.stuck_count > 0 ? [stuckPart(context)] : []),
    ...(session === undefined ? [] : [sessionPart(session)]),
  ];
  for (const part of parts) checkSaysSomething(part);
  const learnings = learningParts(context);
  const fitted = fitParts(
    inOrder([
      ...parts,
      mergePart(context),
      answersPart(context),
      lastSessionPart(context),
      unblockedPart(context),
      commentsPart(context),
      agentCommentsPart(context),
      flagsPart(context),
      featureFlagsPart(context),
      ...fileParts(context),
      ...learnings,
    ]),
    characters,
    { task: id, reserve: learnings.some(({ entries }) => entries.length > 0) ? RELEVANT_ROOM : 0 },
  );
  // Without room for the reserve, there are no learnings to point to.
  const relevant = relevantPart(takenOf(fitted, learnings));
  return describe({ task: id, recipe, budget: tokens }, [
    ...fitted,
    { ...relevant, taken: relevant.entries, cut: [] },
  ]);
}

/** A prompt of other parts than a task's. @throws PromptError `too_large` */
export function promptOf(parts: readonly Part[], of: Pick<Prompt, "task" | "recipe" | "budget">): Prompt {
  const characters = of.budget * CHARACTERS_PER_TOKEN;
  return describe(of, fitParts(inOrder(parts), characters, { task: of.task, reserve: 0 }));
}

function describe(of: Pick<Prompt, "task" | "recipe" | "budget">, unordered: readonly FittedPart[]): Prompt {
  const parts = inOrder(unordered);
  const text = renderPrompt(parts);
  const positions = parts.flatMap(({ taken }) => taken.flatMap((entry) => entry.positions));
  return {
    ...of,
    text,
    parts,
    positions: [...new Set(positions)].sort((a, b) => a - b),
    characters: text.length,
    tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
    cut: parts.reduce((count, { cut }) => count + cut.length, 0),
    sha256: hash("sha256", text),
  };
}

/** At the very end, since it differs every time. */
function sessionPart(session: string): Part {
  return {
    name: "session",
    heading: "Your session",
    why: "which session reads it",
    entries: [
      { text: `Your sessionId is ${inLine(session)}`, positions: [], why: "the session of the prompt" },
    ],
    required: true,
  };
}

function checkSaysSomething({ name, entries }: Part): void {
  if (entries.some(({ text }) => !isBlank(text))) return;
  throw new PromptError(
    "empty_part",
    `The part "${name}" must not be empty, but it would be. If the log has its content, \`signalbox ` +
      "rebuild` restores it.",
  );
}

function takenOf(fitted: readonly FittedPart[], parts: readonly LearningsPart[]): LearningEntry[] {
  const taken = new Set(fitted.flatMap((part) => part.taken));
  return parts.flatMap(({ entries }) => entries.filter((entry) => taken.has(entry)));
}

function inOrder<P extends Part>(parts: readonly P[]): P[] {
  return [...parts].sort((a, b) => PART_NAMES.indexOf(a.name) - PART_NAMES.indexOf(b.name));
}
