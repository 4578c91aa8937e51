import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answers.ts";
import { isAlarming } from "../core.ts";
import { GO_TO, useKeys } from "../keys.ts";
import { useFleet } from "../parts/fleet.ts";
import { useIsNarrow } from "../parts/narrow.ts";
import { type View, views } from "../views/index.ts";
import { ThemeSwitch, ZoneSwitch } from "./switches.tsx";

/** Views with a place of their own in the navigation bar of a phone. */
const ON_PHONE = 3;

export function Rail() {
  const { path, go } = useAddress();
  const isNarrow = useIsNarrow();
  const { answer } = useAnswer("overview", {});
  const { isShared, fleet } = useFleet();
  const known = views.filter(({ isListed = true }) => (isListed === "where shared" ? isShared : isListed));
  const listed = known.filter(({ isListed }) => isListed !== "in the palette");
  useKeys(
    GO_TO,
    known.map((view) => ({
      ...(view.letter && { key: keysOf(view) }),
      does: view.name,
      run: () => go({}, { path: view.path }),
    })),
  );
  const counts: Readonly<Record<string, number | undefined>> = {
    "/inbox": answer?.inbox,
    "/sessions": answer?.running,
    // What waits for somebody.
    "/hosts": fleet?.hosts.filter(isAlarming).length,
  };
  const blocking: Readonly<Record<string, number | undefined>> = { "/inbox": answer?.blocking };
  const links = (of: readonly View[]) =>
    of.map((view) => (
      <ViewLink key={view.path} view={view} count={counts[view.path]} blocking={blocking[view.path]} />
    ));
  return (
    <nav class="rail" aria-label="Views">
      <ul>
        {links(isNarrow ? listed.slice(0, ON_PHONE) : listed)}
        {isNarrow && (
          <li>
            <More key={path}>{links(listed.slice(ON_PHONE))}</More>
          </li>
        )}
      </ul>
    </nav>
  );
}

function keysOf({ letter }: View): string {
  return `g ${letter}`;
}

const DRAWN: Readonly<Record<string, string>> = {
  "/board": "M2 2.5 H6 V13.5 H2 Z M10 2.5 H14 V9.5 H10 Z",
  "/inbox": "M2 9.5 4 3 H12 L14 9.5 V13 H2 Z M2 9.5 H5.5 L6.5 11 H9.5 L10.5 9.5 H14",
  "/sessions": "M3 4 6.5 8 3 12 M8 12.5 H13.5",
  "/learnings": "M6 11.5 V10 A4.2 4.2 0 1 1 10 10 V11.5 Z M6.5 14 H9.5",
  "/charts": "M2.5 2 V13.5 H14 M5.5 11 V8 M8.5 11 V4.5 M11.5 11 V6.5",
  "/hosts": "M2.5 2.5 H13.5 V7 H2.5 Z M2.5 9 H13.5 V13.5 H2.5 Z M5 4.8 V4.7 M5 11.3 V11.2",
  "/log": "M2.5 3.5 H13.5 M2.5 8 H13.5 M2.5 12.5 H9.5",
};

interface ViewLinkProps {
  readonly view: View;
  readonly count: number | undefined;
  /** How many of the counted ones block work. */
  readonly blocking: number | undefined;
}

function ViewLink({ view, count, blocking }: ViewLinkProps) {
  const { path, with: to } = useAddress();
  return (
    <li>
      <Link
        href={to({}, view.path)}
        title={`${view.name}${blocking ? `: ${blockWork(blocking)}` : ""} (${keysOf(view)})`}
        aria-current={path === view.path ? "page" : undefined}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={DRAWN[view.path]} />
        </svg>
        <span class="rail-name">{view.name}</span>
        {count ? <span class={blocking ? "badge is-blocking" : "badge"}>{count}</span> : null}
        {blocking ? <span class="hidden-but-read">, {blockWork(blocking)}</span> : null}
      </Link>
    </li>
  );
}

function blockWork(items: number): string {
  return `${items.toLocaleString("en")} ${items === 1 ? "blocks" : "block"} work`;
}

/** On a phone: the other views, and the switches of the header. */
function More({ children }: { readonly children: ComponentChildren }) {
  return (
    <details
      class="more"
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.open = false;
      }}
    >
      <summary>More</summary>
      <ul>
        {children}
        <li class="switches">
          <ZoneSwitch />
          <ThemeSwitch />
        </li>
      </ul>
    </details>
  );
}
