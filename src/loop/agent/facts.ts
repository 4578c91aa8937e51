import { SERVER_NAME } from "../../events/server-name.ts";
import type { ModelProblem, ServerState } from "../../events/types/agents.ts";
import { parsedJson } from "../../lib/json.ts";

/** The facts in an agent's output. Each client has its own parser; the facts are the same. */
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
      /** Duplicates count once. */
      readonly id: string;
      readonly usage: Usage;
      readonly costUsd?: number | undefined;
    }
  /** Files edited by its tools, with the names that it uses. */
  | { readonly kind: "edited"; readonly files: readonly string[] }
  /** The agent's last message; a later one replaces it. */
  | { readonly kind: "said"; readonly text: string }
  /** A denied tool; `mcp__ralph__NAME` for one of ours. Duplicates count once. */
  | { readonly kind: "denied"; readonly id: string; readonly tool: string }
  /** Why the model gave no answer; a later reason replaces it. */
  | { readonly kind: "problem"; readonly problem: Problem }
  | {
      readonly kind: "result";
      readonly subtype: string;
      readonly isError: boolean;
      readonly text: string;
      readonly turns?: number | undefined;
      /** Of the whole conversation, which may have begun before this session. */
      readonly totalCostUsd?: number | undefined;
      readonly usage?: Usage | undefined;
    };

export interface Usage {
  /** All input tokens, including cached ones. */
  readonly input: number;
  /** The cached ones among them. */
  readonly cached: number;
  readonly output: number;
}

/** Why a model gave no answer. */
export interface Problem {
  readonly kind: ModelProblem;
  /** The client's message. */
  readonly text: string;
  /** When to ask it again, according to the client. */
  readonly resetsAt?: Date | undefined;
}

/** Parses one line of an agent's output; keeps the state that it needs from earlier lines. */
export type ReadLine = (line: OutputLine) => readonly AgentFact[];

export interface OutputLine {
  readonly text: string;
  readonly from: "stdout" | "stderr";
  /** The time of the line. */
  readonly at: Date;
}

/** The name that facts use for one of our tools. */
export const ourTool = (name: string): string => `mcp__${SERVER_NAME}__${name}`;

/** The JSON object in a line; undefined if there is none. */
export function objectIn(text: string): unknown {
  return text.trimStart().startsWith("{") ? parsedJson(text) : undefined;
}
