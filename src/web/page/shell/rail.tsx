import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { isAlarming } from "../../../fleet/alarming.ts";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answers.ts";
import { useFleet } from "../parts/fleet.ts";
import { useIsNarrow } from "../parts/narrow.ts";
import { type View, views } from "../views/index.ts";
import { ThemeSwitch, ZoneSwitch } from "./switches.tsx";

/** Views with a place of their own in the navigation bar of a phone. */
const ON_PHONE = 3;

export function Rail() {
  const { path } = useAddress();
  const isNarrow = useIsNarrow();
  const { answer } = useAnswer("overview", {});
  const { isShared, fleet } = useFleet();
  const listed = views.filter(({ isListed = true }) => (isListed === "where shared" ? isShared : isListed));
  const counts: Readonly<Record<string, number | undefined>> = {
    "/inbox": answer?.inbox,
    "/sessions": answer?.running,
    // What waits for somebody.
    "/hosts": fleet?.hosts.filter(isAlarming).length,
  };
  const links = (of: readonly View[]) =>
    of.map((view) => <ViewLink key={view.path} view={view} count={counts[view.path]} />);
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

function ViewLink({ view, count }: { readonly view: View; readonly count: number | undefined }) {
  const { path, with: to } = useAddress();
  return (
    <li>
      <Link href={to({}, view.path)} aria-current={path === view.path ? "page" : undefined}>
        <span>{view.name}</span>
        {count ? <span class="badge">{count}</span> : null}
      </Link>
    </li>
  );
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
