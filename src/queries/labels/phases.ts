import type { SessionState } from "../../events/types/sessions.ts";

/** The symbol of a phase, a letter for fonts without symbols, and the colour. */
export interface PhaseLook {
  readonly symbol: string;
  readonly ascii: string;
  readonly style: "gray" | "blue" | "yellow" | "cyan" | "green" | "magenta" | "red";
}

export const phaseLooks: Readonly<Record<SessionState, PhaseLook>> = {
  idle: { symbol: "○", ascii: ".", style: "gray" },
  analyzing: { symbol: "◐", ascii: "a", style: "blue" },
  implementing: { symbol: "◑", ascii: "i", style: "yellow" },
  testing: { symbol: "◒", ascii: "t", style: "cyan" },
  committing: { symbol: "◓", ascii: "c", style: "green" },
  reviewing: { symbol: "◔", ascii: "r", style: "magenta" },
  done: { symbol: "●", ascii: "*", style: "green" },
  failed: { symbol: "✕", ascii: "x", style: "red" },
};
