/** The second chunk: loaded as a whole when one of these is first shown. */

export { GraphDrawing } from "./board/graph-drawing.tsx";
export { ChartsView } from "./charts/charts.tsx";
export { CompareView } from "./compare/compare.tsx";
export { HostsView } from "./hosts/hosts.tsx";
export { LearningsView } from "./learnings/learnings.tsx";
export { LogView } from "./log/log.tsx";
export { PoliciesView } from "./policies/policies.tsx";
export { SessionsView } from "./sessions/sessions-view.tsx";
export { TimelineView } from "./timeline/timeline.tsx";
