// Appends to a log on PostgreSQL from many handles, and to plain tables beside it: `fleet-writer LOG_URL PRIMARY_URL`.
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { openPostgresLog } from "../../adapters/postgres/postgres-log.ts";
import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { serve, sharedClock_ms } from "../lib/child.ts";
import { flagEvent } from "../lib/project.ts";

/** How many handles or connections append, one event after the other, and until when on the shared clock. */
export interface Load {
  readonly handles: number;
  readonly start_ms: number;
  readonly for_ms: number;
}

const [logUrl = "", primaryUrl = ""] = process.argv.slice(2);
const closers: (() => Promise<void>)[] = [];
let number = 0;
const append = opened(openLog);
const locked = opened(openLocked);
const bare = opened(openBare);

serve(
  {
    append: (load: Load) => underLoad(load, append),
    locked: (load: Load) => underLoad(load, locked),
    bare: (load: Load) => underLoad(load, bare),
    /** Opens what the others would open when they are first called. */
    async ready({ handles }: { readonly handles: number }) {
      await Promise.all([append(handles), locked(handles), bare(1)]);
    },
  },
  () => Promise.all(closers.map((close) => close())),
);

/** When each append was acknowledged, on the shared clock. */
async function underLoad(
  { handles, start_ms, for_ms }: Load,
  open: (count: number) => Promise<readonly Append[]>,
): Promise<number[]> {
  const acknowledged: number[] = [];
  const opened = await open(handles);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, start_ms - sharedClock_ms())));
  await Promise.all(
    opened.slice(0, handles).map(async (appendOne) => {
      while (sharedClock_ms() < start_ms + for_ms) {
        await appendOne();
        acknowledged.push(sharedClock_ms());
      }
    }),
  );
  return acknowledged;
}

type Append = () => Promise<unknown>;

/** Opens as many as are asked for, once. */
function opened(open: () => Promise<Append>): (count: number) => Promise<readonly Append[]> {
  const all: Promise<Append>[] = [];
  return (count) => {
    while (all.length < count) all.push(open());
    return Promise.all(all);
  };
}

async function openLog(): Promise<Append> {
  const log = await openPostgresLog(logUrl, systemEnvironment());
  closers.push(() => log.close());
  return () => log.append([flagEvent(++number)]);
}

async function openLocked(): Promise<Append> {
  const client = await connect();
  return () => {
    const { type, actor, payload } = flagEvent(++number);
    return client.query({
      name: "locked",
      text: "SELECT bench.append_locked($1, $2, $3, $4, $5, $6)",
      values: [randomUUID(), "session-bench", type, JSON.stringify(payload), randomBytes(16), actor],
    });
  };
}

async function openBare(): Promise<Append> {
  const client = await connect();
  const text = "INSERT INTO bench.bare (payload) VALUES ($1)";
  return () => client.query({ name: "bare", text, values: [JSON.stringify(flagEvent(++number).payload)] });
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: primaryUrl });
  client.on("error", () => {});
  await client.connect();
  closers.push(() => client.end());
  return client;
}
