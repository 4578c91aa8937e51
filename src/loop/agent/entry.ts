import { z } from "zod";

/** A readable part of an agent's output. */
export interface Entry {
  readonly kind: EntryKind;
  readonly text: string;
  /** The tool that was called, or that answered, if the line names it. */
  readonly tool?: string | undefined;
  /** The call or the run failed. */
  readonly isError?: boolean | undefined;
  /** The text goes on where that of the entry before it ends: a model's message in pieces. */
  readonly continues?: boolean | undefined;
}

/** `note`: about the run itself. `raw`: a line of unknown form, as it was printed. */
export type EntryKind = "said" | "thought" | "call" | "result" | "note" | "stderr" | "raw";

/**
 * The entries in a parsed line; none for a line that says nothing to people. Undefined: not a line
 * of this client. It keeps no state, so that reading can begin anywhere.
 */
export type ReadEntries = (line: unknown) => readonly Entry[] | undefined;

/** A failure, as an entry. */
export const failed = (text: string, tool?: string): Entry => ({ kind: "note", text, tool, isError: true });

/** Text, or nothing to show. */
export function entryOf(kind: EntryKind, text: string, rest: Omit<Entry, "kind" | "text"> = {}): Entry[] {
  return text.trim() === "" ? [] : [{ kind, text, ...rest }];
}

/** A tool's input for people: one line for each argument; texts without quotes. */
export function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return asText(input);
  const entries = Object.entries(input);
  const [only] = entries;
  if (entries.length === 1 && only) return asText(only[1]);
  return entries.map(([name, value]) => `${name}: ${asText(value)}`).join("\n");
}

/** The texts in a tool's result: a text, or a list of parts. */
export function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = textParts.safeParse(content);
  if (!parts.success) return asText(content);
  return parts.data.map(({ type, text }) => text ?? `[${type}]`).join("\n");
}

const textParts = z.array(z.looseObject({ type: z.string().catch("part"), text: z.string().optional() }));

/** A text as it is, any other value as JSON; nothing for an absent one. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
