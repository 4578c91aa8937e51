/** The views that come together when one of them is first shown. */
export { ChartsView } from "./charts/charts.tsx";
export { CompareView } from "./compare/compare.tsx";
export { LearningsView } from "./learnings/learnings.tsx";
export { LogView } from "./log/log.tsx";
export { SessionsView } from "./sessions/sessions.tsx";
