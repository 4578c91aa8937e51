import { Link } from "wouter-preact";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answers.ts";
import { views } from "../views/index.ts";

export function Rail() {
  const { path, with: to } = useAddress();
  const { answer } = useAnswer("overview", {});
  const counts: Readonly<Record<string, number | undefined>> = {
    "/inbox": answer?.inbox,
    "/sessions": answer?.running,
  };
  return (
    <nav class="rail" aria-label="Views">
      <ul>
        {views
          .filter(({ isListed = true }) => isListed)
          .map((view) => (
            <li key={view.path}>
              <Link href={to({}, view.path)} aria-current={path === view.path ? "page" : undefined}>
                <span>{view.name}</span>
                {counts[view.path] ? <span class="badge">{counts[view.path]}</span> : null}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}
