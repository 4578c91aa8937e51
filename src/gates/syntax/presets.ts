import { GATE_MAX_DEFAULT, GATE_TIMEOUT_DEFAULT_S, type GateDeclaration } from "../../events/types/gates.ts";

/** A gate's maximum of attempts and timeout. */
export type GateNumbers = Pick<GateDeclaration, "max" | "timeout_s">;

/** The default. */
export const DEFAULTS: GateNumbers = { max: GATE_MAX_DEFAULT, timeout_s: GATE_TIMEOUT_DEFAULT_S };

/** Names for common numbers (docs/rules.md, Verify gates); `:fast` in a gate line. */
export const PRESETS = {
  fast: { max: 5, timeout_s: 30 },
  full: { max: 5, timeout_s: 300 },
  extended: { max: 10, timeout_s: 600 },
} as const satisfies Record<string, GateNumbers>;

export type PresetName = keyof typeof PRESETS;

// The keys of a constant object are its names, which its type does not guarantee.
export const presetNames = Object.keys(PRESETS) as PresetName[];
