import type { ReadView } from "../../read-model/read-view.ts";
import { closingFigures } from "./closings.ts";
import { costFigures } from "./costs.ts";
import { doneFigures } from "./dones.ts";
import { gateFigures } from "./gates.ts";
import { learnedByGroup, learningFigures, mostConfirmed } from "./learnings.ts";
import { questionFigures } from "./questions.ts";
import { type Figures, type MetricsOptions, scopeOf } from "./scope.ts";
import { phaseFigures, reworkFigures, sessionFigures, timedSessions } from "./session-figures.ts";

/** Tables of figures by their names, each row of a table with the same columns; docs/metrics.md defines every one. */
export type Metrics = ReturnType<typeof metrics>;

/** What the read model tells of how work goes. All times are those of the log but for `now`, until which open things last. */
export function metrics(readModel: ReadView, options: MetricsOptions) {
  const scope = scopeOf(readModel, options);
  const sessions = timedSessions(readModel, scope);
  const learned = learnedByGroup(readModel, scope);
  return {
    sessions: sessionFigures(sessions),
    phases: phaseFigures(sessions),
    rework: reworkFigures(sessions),
    costs: costFigures(readModel, scope, sessions),
    closings: closingFigures(readModel, scope),
    dones: doneFigures(readModel, scope),
    questions: questionFigures(readModel, scope),
    gates: gateFigures(readModel, scope),
    learnings: learningFigures(learned),
    most_confirmed: mostConfirmed(readModel, learned),
  } satisfies Readonly<Record<string, readonly Figures[]>>;
}
