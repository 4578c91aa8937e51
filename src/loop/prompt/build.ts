import type { ReadModel } from "../../projections/read-model.ts";
export interface Prompt {
  readonly text: string;
  readonly positions: readonly number[];
  readonly characters: number;
  readonly tokens: number;
  readonly cut: number;
  readonly sha256: string;
}
export function buildPrompt(_r: ReadModel, r: { task: number; tokens: number }): Prompt {
  return { text: `Task ${r.task}\n`, positions: [], characters: 8, tokens: 2, cut: 0, sha256: "x" };
}
