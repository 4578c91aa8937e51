import { SERVER_NAME } from "../../events/server-name.ts";
import type { ModelProblem, ServerState } from "../../events/types/agents.ts";

/** What the output of an agent's client tells. Each client has a reader for its own lines; what they tell is the same. */
export type AgentFact =
  | {
      readonly kind: "init";
      readonly conversation?: string | undefined;
      readonly model?: string | undefined;
      readonly version?: string | undefined;
      readonly server: ServerState;
    }
  | {
      readonly kind: "message";
      /** What comes twice counts once. */
      readonly id: string;
      readonly usage: Usage;
      readonly costUsd?: number | undefined;
    }
  /** Files that its tools have edited, as it names them. */
  | { readonly kind: "edited"; readonly files: readonly string[] }
  /** What the agent said last, in words; the next one replaces it. */
  | { readonly kind: "said"; readonly text: string }
  /** A tool that the client did not let it use; `mcp__ralph__NAME` for one of ours. What comes twice counts once. */
  | { readonly kind: "denied"; readonly id: string; readonly tool: string }
  /** Why the model gave no answer; one that comes after it replaces it. */
  | { readonly kind: "problem"; readonly problem: Problem }
  | {
      readonly kind: "result";
      readonly subtype: string;
      readonly isError: boolean;
      readonly text: string;
      readonly turns?: number | undefined;
      /** Of the whole conversation, which may be older than this session. */
      readonly totalCostUsd?: number | undefined;
      readonly usage?: Usage | undefined;
    };

export interface Usage {
  /** All that went in, what came from a cache included. */
  readonly input: number;
  /** What of it came from a cache. */
  readonly cached: number;
  readonly output: number;
}

/** Why a model gave no answer. */
export interface Problem {
  readonly kind: ModelProblem;
  /** In the client's words. */
  readonly text: string;
  /** When it may be asked again, as the client told it. */
  readonly resetsAt?: Date | undefined;
}

/** Reads one line of an agent's output; what it needs to know of earlier ones it keeps. */
export type ReadLine = (line: OutputLine) => readonly AgentFact[];

export interface OutputLine {
  readonly text: string;
  readonly from: "stdout" | "stderr";
  /** When it came. */
  readonly at: Date;
}

/** The name of one of our tools, as facts have it. */
export const ourTool = (name: string): string => `mcp__${SERVER_NAME}__${name}`;

/** The JSON object in a line; undefined where there is none. */
export function objectIn(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
