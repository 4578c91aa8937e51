import { Random } from "../../bench/lib/random.ts";
import type { Kind } from "./kinds.ts";
import { SHAPES, type Shape } from "./shapes.ts";

/** One session of the corpus, and the repository in which it runs. */
export interface Session {
  /** Unique in its repository. */
  readonly n: number;
  readonly kind: Kind;
}

/** Sessions that share one repository. */
export interface Batch {
  readonly shape: Shape;
  /** Its gates run on the base before. */
  readonly baseline: boolean;
  readonly sessions: readonly Session[];
}

/**
 * Deals kinds to sessions, and sessions to repositories: each kind comes as often as the others of its side, in an order that the seed
 * decides.
 *
 * @param each how many sessions that lie or err, and how many honest ones
 */
export function corpus(kinds: readonly Kind[], seed: number, each: number): Batch[] {
  const random = new Random(seed);
  const shuffled = <T>(list: readonly T[]) =>
    list
      .map((item) => ({ item, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  const dealt = [true, false].flatMap((lies) => {
    const own = shuffled(kinds.filter((kind) => kind.lies === lies));
    return own.length === 0 ? [] : Array.from({ length: each }, (_, at) => own[at % own.length] as Kind);
  });
  const placed = shuffled(dealt).map((kind) => {
    const fits = ({ name, tested }: Shape) =>
      (tested || !kind.tested) && name.startsWith(kind.language ?? "");
    return { kind, baseline: kind.baseline === true, shape: random.pick(SHAPES.filter(fits)) };
  });
  const groups = Map.groupBy(placed, ({ kind, shape, baseline }) =>
    [shape.name, baseline, kind.apart ?? false].join(),
  );
  let n = 1;
  return [...groups.values()].flatMap((own) => {
    const batches = Math.ceil(own.length / MOST);
    return Array.from({ length: batches }, (_, at) => {
      const these = own.filter((_, place) => place % batches === at);
      const [{ shape, baseline }] = these as [(typeof own)[number]];
      return { shape, baseline, sessions: these.map(({ kind }) => ({ n: n++, kind })) };
    });
  });
}

/** Sessions of one repository. */
const MOST = 30;
