import { statSync } from "node:fs";
import type { ServerFacts, ServerSurvey } from "../../adapters.ts";
import type { Store } from "../../decisions/store.ts";
import { operating } from "../../events/open-log.ts";
import { ask } from "../../read-model/ask.ts";
import { type HostView, hostsIn } from "./hosts.ts";

/** A log on a server, as one of its hosts sees it: the servers, the hosts, and who runs what where. */
export interface FleetView {
  /** Its place, without a password. */
  readonly log: string;
  readonly servers: Omit<ServerSurvey, "url">;
  /** Since when this host has not reached the log, as far as it knows; null while it reaches it. ISO 8601 */
  readonly away_since: string | null;
  readonly read_model: {
    /** The last event that this host has read. */
    readonly position: number;
    /** How many events it has not read yet; null while nobody can tell. */
    readonly behind: number | null;
  };
  readonly hosts: readonly HostView[];
}

interface FleetPlace {
  readonly url: string;
  readonly readModelPath: string;
  readonly silence_ms: number;
}

/** Looks at the log's servers now and then, however often it is asked, and never waits long for them. */
export class FleetWatch {
  readonly #place: FleetPlace;
  /** The last look, or the one that is under way. */
  #survey: Promise<Surveyed> | undefined;
  #surveyedAt = Number.NEGATIVE_INFINITY;
  /** What was last told by a primary. */
  #told: { readonly facts: ServerFacts; readonly at: number } | undefined;

  constructor(place: FleetPlace) {
    this.#place = place;
  }

  /** Looks at the servers unless it has just done so, so that a caller can open the project meanwhile. */
  begin(now_ms: () => number = Date.now): Promise<Surveyed> {
    if (this.#survey && now_ms() - this.#surveyedAt < SURVEY_MS) return this.#survey;
    this.#surveyedAt = now_ms();
    this.#survey = this.#lookAtServers(now_ms);
    // Whoever looks is told.
    this.#survey.catch(() => {});
    return this.#survey;
  }

  /** @throws LogError `server`: the log's URL cannot be one; `no_driver` */
  async look(store: Store): Promise<FleetView> {
    const { readModel, ownHost, environment } = store;
    const now_ms = () => environment.now() / 1_000;
    // Both may wait for a server.
    const [{ survey, away_since }] = await Promise.all([this.begin(now_ms), ask(store, () => {})]);
    const { url, ...servers } = survey;
    const { facts } = servers;
    const age_ms = facts && this.#told ? now_ms() - this.#told.at : 0;
    return readModel.snapshot(() => {
      const position = readModel.position();
      return {
        log: url,
        servers,
        away_since,
        read_model: { position, behind: facts && Math.max(0, facts.head - position) },
        hosts: hostsIn(readModel, {
          own: ownHost?.(),
          signs: facts?.hosts.map((sign) => ({ ...sign, silent_ms: sign.silent_ms + age_ms })),
          silence_ms: this.#place.silence_ms,
        }),
      };
    });
  }

  async #lookAtServers(now_ms: () => number): Promise<Surveyed> {
    const { surveyServers } = await operating();
    const { url, readModelPath } = this.#place;
    const survey = await surveyServers(url, now_ms, PATIENCE_MS);
    if (survey.facts) {
      this.#told = { facts: survey.facts, at: now_ms() };
      return { survey, away_since: null };
    }
    const reached_ms = this.#told?.at ?? lastChange(readModelPath) ?? now_ms();
    return { survey, away_since: new Date(reached_ms).toISOString() };
  }
}

interface Surveyed {
  readonly survey: ServerSurvey;
  readonly away_since: string | null;
}

/** The time between two looks at the servers. */
const SURVEY_MS = 5_000;
/** What a look waits for its first answers, and again for the rest. */
const PATIENCE_MS = 750;

/** When the read model last got something from the log; undefined if there is none. */
function lastChange(readModelPath: string): number | undefined {
  const times = [readModelPath, `${readModelPath}-wal`].flatMap(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? [],
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
