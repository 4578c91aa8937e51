import { learningsTable } from "../../projections/learnings.ts";
import { realmsOfFeature } from "../../queries/feature-learnings.ts";
import type { Context } from "./context.ts";
import type { Entry, Part, PartName } from "./part.ts";
import { quoteAgent, quoteHuman } from "./quote.ts";
import { type Ranked, rankLearnings } from "./ranking.ts";

/** An entry with its rank. */
export interface LearningEntry extends Entry {
  readonly ranked: Ranked;
}
export interface LearningsPart extends Part {
  readonly entries: readonly LearningEntry[];
}

/**
 * Learnings by scope: the project's always, the feature's in the feature, the task's on a retry. An
 * entry with the same words in a wider scope appears only there.
 */
export function learningParts(context: Context): LearningsPart[] {
  const { readModel, task, sessions } = context;
  const seen = new Set<string>();
  return [
    learningsPart(context, seen, "project_learnings", "project", ["project"], {
      heading: "Learnings about the project",
      why: "learnings of scope project are in every prompt",
    }),
    learningsPart(context, seen, "feature_learnings", "feature", realmsOfFeature(readModel, task.feature), {
      heading: "Learnings about the feature",
      why: "learnings of scope feature are in prompts of its tasks",
    }),
    learningsPart(context, seen, "task_learnings", "task", sessions.length > 0 ? [`task ${task.id}`] : [], {
      heading: "Learnings from earlier sessions of this task",
      why: "the task is attempted again",
    }),
  ];
}

/**
 * The learnings above that share words with the task, best first. The learnings above are in the
 * order in which they were learned, which is the same for each task of the feature.
 */
export function relevantPart(taken: readonly LearningEntry[]): Part {
  const best = taken
    .map(({ ranked }) => ranked)
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .slice(0, RELEVANT_LISTED)
    .map(({ id }) => id);
  return {
    name: "relevant_learnings",
    heading: "The learnings most relevant to your task",
    why: "they share words with the task; best match first",
    entries:
      best.length === 0
        ? []
        : [
            {
              text: best.map((id) => `#${id}`).join(", "),
              positions: [],
              why: "by words, recency, confirmations",
            },
          ],
    required: false,
  };
}

const RELEVANT_LISTED = 8;
/** The most characters of `relevantPart`. */
export const RELEVANT_ROOM = 160;

function learningsPart(
  { readModel, task, limit }: Context,
  seen: Set<string>,
  name: PartName,
  scope: "project" | "feature" | "task",
  realms: readonly string[],
  words: { heading: string; why: string },
): LearningsPart {
  const rows = readModel.rowsOf({ learnings: learningsTable });
  const about = [task.title, task.remaining ?? "", task.description, ...task.tags].join("\n");
  const ranked = realms.length === 0 ? [] : rankLearnings(readModel, { realms, scope, about });
  const entries = ranked.flatMap((one): LearningEntry[] => {
    const row = rows.learnings.get(one.id);
    if (!row || seen.has(row.digest)) return [];
    seen.add(row.digest);
    const quote = row.agent_words ? quoteAgent : quoteHuman;
    const said = row.rationale === null ? row.text : `${row.text}\nRationale: ${row.rationale}`;
    return [
      {
        text: `- #${row.id}, ${row.kind}\n${quote(said, limit(1 / 48))}`,
        positions: [row.id],
        why: whyRanked(one),
        ranked: one,
      },
    ];
  });
  return { name, ...words, entries, chronological: true, required: false };
}

function whyRanked({ pinned, words, confirmations, last, score }: Ranked): string {
  const fits = words > 0 ? `words ${words.toFixed(2)}` : "no words";
  return `${pinned ? "pinned; " : ""}rank ${score.toFixed(2)}: ${fits}, last said at ${last}, confirmed ${confirmations}×`;
}
