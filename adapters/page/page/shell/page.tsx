import { useIsFetching } from "@tanstack/preact-query";
import { Link, Redirect, Route, Switch } from "wouter-preact";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answers.ts";
import { visible } from "../core.ts";
import { Fault, Loading } from "../parts/states.tsx";
import { useTitle } from "../title.ts";
import { Bell } from "../views/inbox/bell.tsx";
import { views } from "../views/index.ts";
import { AwayBanner } from "./away-banner.tsx";
import { BehindBanner } from "./behind-banner.tsx";
import { Boundary } from "./boundary.tsx";
import { FleetBanner, TrustBanner } from "./fleet-banner.tsx";
import { Header } from "./header.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { LoopBar } from "./loop-bar.tsx";
import { PastBanner } from "./past-banner.tsx";
import { Rail } from "./rail.tsx";
import { TaskDialog } from "./task-dialog.tsx";
import { TimeBar } from "./time-bar.tsx";
import "./shell.css";
import { begunKey, boundKeys } from "../keys.ts";
import { useStore } from "../store.ts";
import { Keys } from "./key-sheet.tsx";

export function Page() {
  const address = useAddress();
  const { at, path: shown } = address;
  const of = address.with({});
  const isMoving = useIsFetching({ predicate: ({ queryKey }) => at !== undefined && queryKey[2] === at }) > 0;
  return (
    <div class="shell">
      <Boundary what="The header" of={of}>
        <Header />
      </Boundary>
      <Boundary what="The loop bar" of={of}>
        <LoopBar />
      </Boundary>
      <Boundary what="The navigation" of={of}>
        <Rail />
      </Boundary>
      <main class={`main${isMoving ? " is-moving" : ""}`}>
        <Boundary what="The banner" of={of}>
          <AwayBanner />
          <TrustBanner />
          <FleetBanner />
          <BehindBanner />
          <PastBanner />
        </Boundary>
        <Switch>
          {views.map(({ path, name, Component: Shown }) => (
            <Route key={path} path={path}>
              <Boundary key={path} what="This view" of={of}>
                <Title key={name} name={name} />
                <Shown />
              </Boundary>
            </Route>
          ))}
          <Route path="/">
            <Entrance />
          </Route>
          <Route>
            <NoSuchView path={shown} />
          </Route>
        </Switch>
        <Boundary what="The form of a task" of={of}>
          <TaskDialog />
        </Boundary>
      </main>
      <Boundary what="The time bar" of={of}>
        <TimeBar />
      </Boundary>
      <Boundary what="The keyboard help" of={of}>
        <KeySheet />
        <KeyHint />
        <Bell />
      </Boundary>
    </div>
  );
}

/** Opens the inbox if something blocks work, else the board. */
function Entrance() {
  const address = useAddress();
  const { answer, error } = useAnswer("overview", {}, { at: undefined });
  if (!answer) return error ? <Fault error={error} /> : <Loading what="the project" />;
  return <Redirect to={address.with({}, answer.blocking > 0 ? "/inbox" : "/board")} replace />;
}

/** For an address without a view: links to all views. */
function NoSuchView({ path }: { readonly path: string }) {
  const address = useAddress();
  return (
    <section class="begin">
      <h1>There is no view {visible(path)}</h1>
      <ul class="other-views">
        {views
          .filter(({ isListed = true }) => isListed === true)
          .map((view) => (
            <li key={view.path}>
              <Link href={address.with({}, view.path)}>{view.name}</Link>
            </li>
          ))}
      </ul>
    </section>
  );
}

/** Titles the document with the view's name, until the view sets a title of its own. */
function Title({ name }: { readonly name: string }) {
  useTitle(name);
  return null;
}

/** The keys that complete a sequence that was begun. */
function KeyHint() {
  const begun = useStore(begunKey);
  const next = boundKeys()
    .flatMap(({ bindings }) => bindings)
    .flatMap(({ key = "", does }) => (begun && key.startsWith(`${begun} `) ? [{ key, does }] : []));
  return (
    <div role="status">
      {begun !== undefined && (
        <p class="key-hint">
          {next.map(({ key, does }) => (
            <span key={key}>
              <Keys of={key} /> {does}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
