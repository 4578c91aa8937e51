import type { ComponentType } from "preact";
import { BoardView } from "./board/board.tsx";
import { ChartsView } from "./charts/charts.tsx";
import { CompareView } from "./compare/compare.tsx";
import { InboxView } from "./inbox/inbox.tsx";
import { lazily } from "./lazily.tsx";
import { LearningsView } from "./learnings/learnings.tsx";
import { LogView } from "./log/log.tsx";
import { SessionsView } from "./sessions/sessions.tsx";

/** A view of the page: its place in the rail and in the address. */
export interface View {
  readonly path: `/${string}`;
  readonly name: string;
  readonly Component: ComponentType;
  /** False for a view that one gets to from others. */
  readonly isListed?: boolean;
}

const TimelineView = lazily(async () => (await import("./timeline/timeline.tsx")).TimelineView);

/** All views, in the order of the rail. Adding one: its folder, and its line here. */
export const views: readonly View[] = [
  { path: "/board", name: "Board", Component: BoardView },
  { path: "/inbox", name: "Inbox", Component: InboxView },
  { path: "/sessions", name: "Sessions", Component: SessionsView },
  { path: "/learnings", name: "Learnings", Component: LearningsView },
  { path: "/charts", name: "Charts", Component: ChartsView },
  { path: "/log", name: "Log", Component: LogView },
  { path: "/tasks/:id", name: "Timeline", Component: TimelineView, isListed: false },
  { path: "/compare", name: "Compare", Component: CompareView, isListed: false },
];
