import type { Command } from "commander";
import {
  actOnGate,
  decideOnGates,
  declareGates,
  listGates,
  recordGateAttempt,
  reopenGate,
} from "../../operations/gates.ts";
import { addCommands, addGroup } from "../making/operation-commands.ts";
import { parse } from "./gate-parse.ts";
import { addGateRun } from "./gate-run.ts";
import { gateRuns } from "./gate-runs.ts";

export function addGate(program: Command): void {
  const group = addGroup(program, {
    name: "gate",
    does: "verify gates: commands that must pass before a done stands",
    has: [listGates, gateRuns, declareGates, decideOnGates, reopenGate, recordGateAttempt, actOnGate],
  });
  addGateRun(group);
  addCommands(group, parse);
}
