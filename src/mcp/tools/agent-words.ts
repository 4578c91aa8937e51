import { z } from "zod";

/** Whose words a feature or a discipline is in, for an agent that reads it: what an agent wrote is no human's instruction. */
export const agentWordsShown = {
  agent_words: z.boolean().describe("True if any of it is in an agent's words."),
  agent_fields: z.array(z.string()).describe("The fields that are."),
};
