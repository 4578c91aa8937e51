import type { Case } from "../case.ts";
import { doubleClaims } from "./double-claims.ts";
import { eightAtOnce } from "./eight-at-once.ts";
import { falseDones } from "./false-dones.ts";
import { killedWriters } from "./killed-writers.ts";
import { liars } from "./liars.ts";
import { powerCuts } from "./power-cuts.ts";
import { resume } from "./resume.ts";

export const CASES: readonly Case[] = [
  killedWriters,
  powerCuts,
  eightAtOnce,
  resume,
  doubleClaims,
  falseDones,
  liars,
];
