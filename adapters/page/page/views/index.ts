import { type ComponentType, createElement } from "preact";
import { lazily } from "../parts/lazily.tsx";
import { Unanswered } from "../parts/states.tsx";
import { BoardView } from "./board/board.tsx";

/** A view of the page: its place in the rail and in the address. */
export interface View {
  readonly path: `/${string}`;
  readonly name: string;
  /** The key that goes there after `g`, for a listed view. */
  readonly letter?: string;
  readonly Component: ComponentType;
  /**
   * False for a view that only other views link to; `where shared`: listed only where several hosts share the log; `in the
   * palette`: not in the rail.
   */
  readonly isListed?: boolean | "where shared" | "in the palette";
}

/** Loaded when first shown. */
const InboxView = later("Inbox", async () => (await import("./acting.ts")).InboxView);
const SessionsView = later("Sessions", async () => (await import("./others.ts")).SessionsView);
const LearningsView = later("Learnings", async () => (await import("./others.ts")).LearningsView);
const ChartsView = later("Charts", async () => (await import("./others.ts")).ChartsView);
const HostsView = later("Hosts", async () => (await import("./others.ts")).HostsView);
const LogView = later("Log", async () => (await import("./others.ts")).LogView);
const CompareView = later("Compare", async () => (await import("./others.ts")).CompareView);
const PoliciesView = later("Policies", async () => (await import("./others.ts")).PoliciesView);
const TimelineView = later("Timeline", async () => (await import("./others.ts")).TimelineView);

/** All views, in the order of the rail. Adding one: its folder, and its line here. */
export const views: readonly View[] = [
  { path: "/board", name: "Board", letter: "b", Component: BoardView },
  { path: "/inbox", name: "Inbox", letter: "i", Component: InboxView },
  { path: "/sessions", name: "Sessions", letter: "s", Component: SessionsView },
  { path: "/learnings", name: "Learnings", letter: "l", Component: LearningsView },
  { path: "/charts", name: "Charts", letter: "c", Component: ChartsView },
  { path: "/hosts", name: "Hosts", letter: "h", Component: HostsView, isListed: "where shared" },
  { path: "/log", name: "Log", letter: "o", Component: LogView },
  { path: "/policies", name: "Policies", Component: PoliciesView, isListed: "in the palette" },
  { path: "/tasks/:id", name: "Timeline", Component: TimelineView, isListed: false },
  { path: "/compare", name: "Compare", Component: CompareView, isListed: false },
];

function later(view: string, load: () => Promise<ComponentType>): ComponentType {
  return lazily(load, () => createElement(Unanswered, { view, what: "this view" }));
}
