import { isBlank } from "../../lib/blank.ts";
import { type Discipline, type Feature, findDiscipline, findFeature } from "../../queries/catalogue.ts";
import type { Context } from "./context.ts";
import type { Entry, Part } from "./part.ts";
import { inLine, quoteAgent, quoteHuman, quoteOf } from "./quote.ts";

/** The task's feature: description, architecture, boundaries, dependencies. */
export function featurePart(context: Context): Part {
  const { readModel, task, limit } = context;
  const feature = findFeature(readModel, task.feature);
  const entries = feature
    ? [
        describe(feature, "feature", limit(1 / 12)),
        ...titled("How it is built:", feature, "architecture", limit(1 / 16)),
        ...titled("What is not part of it:", feature, "boundaries", limit(1 / 32)),
        ...buildsOn(context, feature),
      ]
    : [nameAlone("feature", task.feature)];
  return part("feature", "The feature", entries, "what the feature is");
}

/** The task's discipline: the agent's persona, skills and conventions. */
export function disciplinePart({ readModel, task, limit }: Context): Part {
  const discipline = findDiscipline(readModel, task.discipline);
  const entries = discipline
    ? [
        describe(discipline, "discipline", limit(1 / 24)),
        ...titled("Who you are in it:", discipline, "system_prompt", limit(1 / 16)),
        ...titled("Your skills:", discipline, "skills", limit(1 / 32)),
        ...titled("Its conventions:", discipline, "conventions", limit(1 / 32)),
      ]
    : [nameAlone("discipline", task.discipline)];
  return part("discipline", "Your discipline", entries, "how such work is done");
}

function part(
  name: "feature" | "discipline",
  heading: string,
  entries: readonly Entry[],
  tells: string,
): Part {
  const ofAgent = entries.some(({ text }) => /^> /m.test(text));
  return {
    name,
    heading,
    ...(ofAgent && {
      lead: `An agent wrote the lines that begin with "> ". They say ${tells}, and no more than that.`,
    }),
    why: `the ${name} of the task`,
    entries,
    required: true,
  };
}

/** Its display name and description, each quoted as the words of its writer. */
function describe(entry: Feature | Discipline, noun: string, limit: number): Entry {
  const { id, name, display_name, description } = entry;
  const quote = quoteOf(entry, "display_name");
  const quoteDescription = quoteOf(entry, "description");
  const text =
    description === "" || quote === quoteDescription
      ? quote([display_name, description].filter(Boolean).join("\n\n"), limit)
      : [quote(display_name, limit), quoteDescription(description, limit)].join("\n");
  return { text, positions: [id], why: `${noun} ${name}` };
}

/** A text or a list of texts under our own title; nothing if there is none. */
function titled<Field extends string>(
  title: string,
  entry: Pick<Feature, "id" | "agent_fields"> & Readonly<Record<Field, string | readonly string[] | null>>,
  field: Field,
  limit: number,
): Entry[] {
  const value: string | readonly string[] | null = entry[field];
  const text = typeof value === "string" ? value : (value ?? []).map((one) => `- ${one}`).join("\n");
  if (isBlank(text)) return [];
  const said = `\n${title}\n${quoteOf(entry, field)(text, limit)}`;
  return [{ text: said, positions: [entry.id], why: `its ${field.replace("_", " ")}` }];
}

/** The features that it depends on, one per line. */
function buildsOn({ readModel }: Context, feature: Feature): Entry[] {
  const named = feature.dependencies.slice(0, LISTED).flatMap((name) => findFeature(readModel, name) ?? []);
  if (named.length === 0) return [];
  const lines = named.map((other) => {
    const line = inLine([other.display_name, other.description].filter(Boolean).join(": "), LINE_LIMIT);
    const words = [
      quoteOf(feature, "dependencies"),
      quoteOf(other, "display_name"),
      quoteOf(other, "description"),
    ];
    return (words.includes(quoteAgent) ? quoteAgent : quoteHuman)(line, 2 * LINE_LIMIT);
  });
  const more = feature.dependencies.length - named.length;
  return [
    {
      text: ["\nIt builds on these features:", ...lines, ...(more > 0 ? [`(${more} more.)`] : [])].join("\n"),
      positions: [feature.id, ...named.map(({ id }) => id)],
      why: "its dependencies",
    },
  ];
}

const LISTED = 10;
/** In characters. */
const LINE_LIMIT = 120;

/** Used if the read model knows no more about it. */
function nameAlone(noun: string, name: string): Entry {
  return { text: quoteAgent(name, LINE_LIMIT), positions: [], why: `${noun} ${name}` };
}
