import { useIsFetching } from "@tanstack/preact-query";
import { Component, type ComponentChildren } from "preact";
import { Redirect, Route, Switch } from "wouter-preact";
import { useAddress } from "../address.ts";
import { Bell } from "../views/inbox/bell.tsx";
import { views } from "../views/index.ts";
import { AwayBanner } from "./away-banner.tsx";
import { BehindBanner } from "./behind-banner.tsx";
import { Header } from "./header.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { PastBanner } from "./past-banner.tsx";
import { Rail } from "./rail.tsx";
import { TimeBar } from "./time-bar.tsx";
import "./shell.css";

export function Page() {
  const { at } = useAddress();
  const isMoving = useIsFetching({ predicate: ({ queryKey }) => at !== undefined && queryKey[2] === at }) > 0;
  return (
    <div class="shell">
      <Header />
      <Rail />
      <main class={`main${isMoving ? " is-moving" : ""}`}>
        <AwayBanner />
        <BehindBanner />
        <PastBanner />
        <Switch>
          {views.map(({ path, Component: Shown }) => (
            <Route key={path} path={path}>
              <Boundary key={path}>
                <Shown />
              </Boundary>
            </Route>
          ))}
          <Route>
            <Redirect to={views[0]?.path ?? "/"} replace />
          </Route>
        </Switch>
      </main>
      <TimeBar />
      <KeySheet />
      <Bell />
    </div>
  );
}

/** What cannot be drawn says so in its place, and the rest of the page goes on. */
class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly fault?: string }> {
  static override getDerivedStateFromError(error: unknown) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { fault } = this.state;
    return fault === undefined ? (
      this.props.children
    ) : (
      <p class="fault" role="alert">
        This view could not be drawn: {fault}
      </p>
    );
  }
}
