import type { Command } from "commander";
import {
  actOnGate,
  decideOnGates,
  declareGates,
  listGates,
  recordGateAttempt,
  reopenGate,
} from "../../operations/gates.ts";
import { addCommands } from "../making/operation-commands.ts";
import { addParse } from "./gate-parse.ts";
import { addGateRun } from "./gate-run.ts";
import { addGateRuns } from "./gate-runs.ts";

export function addGate(program: Command): void {
  const group = program
    .command("gate")
    .description("verify gates: commands that must pass before a done stands");
  addCommands(group, listGates);
  addGateRuns(group);
  for (const one of [declareGates, decideOnGates, reopenGate, recordGateAttempt, actOnGate]) {
    addCommands(group, one);
  }
  addGateRun(group);
  addParse(group);
}
