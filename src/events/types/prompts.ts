import { z } from "zod";
import { defineEvent } from "../event.ts";
import { line, position, sessionId, sessionStream, taskId } from "./fields.ts";
import { structural } from "./structure.ts";

const promptBuilt = defineEvent({
  type: "prompt.built",
  version: 2,
  description: "The prompt that a session started with: the events it was built from, and its size.",
  payload: z.strictObject({
    session: sessionId,
    /** Absent for a session without one. */
    task: taskId.optional(),
    /**
     * Positions of the prompt's sources, ascending: learnings, answers, comments, flags, the last
     * partial.
     */
    positions: z.array(position).max(10_000),
    characters: z.int().min(1),
    /** An estimate: characters divided by 4. */
    tokens: z.int().min(1),
    /** How many entries were left out for lack of room. */
    cut: z.int().min(0),
    /** SHA-256 of the text, in hex. */
    sha256: structural(line),
  }),
  stream: sessionStream,
  timeline: ({ positions, tokens, cut }) =>
    `Prompt of about ${tokens} tokens from ${positions.length} events${cut > 0 ? `, ${cut} left out` : ""}.`,
  example: {
    session: "s-1",
    task: 7,
    positions: [12, 18, 40],
    characters: 6_200,
    tokens: 1_550,
    cut: 2,
    sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  upcasters: {
    /** Version 1 always had a task. */
    1: (payload) => payload,
  },
});

/** Every event of this family, in the order of docs/events.md. */
export const promptEvents = [promptBuilt] as const;
