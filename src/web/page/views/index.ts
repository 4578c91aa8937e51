import { type ComponentType, createElement } from "preact";
import { lazily } from "../parts/lazily.tsx";
import { Loading } from "../parts/states.tsx";
import { BoardView } from "./board/board.tsx";
import { InboxView } from "./inbox/inbox.tsx";

/** A view of the page: its place in the rail and in the address. */
export interface View {
  readonly path: `/${string}`;
  readonly name: string;
  readonly Component: ComponentType;
  /** False for a view that only other views link to; `where shared`: listed only where several hosts share the log. */
  readonly isListed?: boolean | "where shared";
}

/** Loaded when first shown. */
const SessionsView = later(async () => (await import("./others.ts")).SessionsView);
const LearningsView = later(async () => (await import("./others.ts")).LearningsView);
const ChartsView = later(async () => (await import("./others.ts")).ChartsView);
const HostsView = later(async () => (await import("./others.ts")).HostsView);
const LogView = later(async () => (await import("./others.ts")).LogView);
const CompareView = later(async () => (await import("./others.ts")).CompareView);
const TimelineView = later(async () => (await import("./others.ts")).TimelineView);

/** All views, in the order of the rail. Adding one: its folder, and its line here. */
export const views: readonly View[] = [
  { path: "/board", name: "Board", Component: BoardView },
  { path: "/inbox", name: "Inbox", Component: InboxView },
  { path: "/sessions", name: "Sessions", Component: SessionsView },
  { path: "/learnings", name: "Learnings", Component: LearningsView },
  { path: "/charts", name: "Charts", Component: ChartsView },
  { path: "/hosts", name: "Hosts", Component: HostsView, isListed: "where shared" },
  { path: "/log", name: "Log", Component: LogView },
  { path: "/tasks/:id", name: "Timeline", Component: TimelineView, isListed: false },
  { path: "/compare", name: "Compare", Component: CompareView, isListed: false },
];

function later(load: () => Promise<ComponentType>): ComponentType {
  return lazily(load, () => createElement(Loading, { what: "this view" }));
}
