import type { Random } from "../../bench/lib/random.ts";

/** What becomes of the bytes of a file. */
export type Damage = (content: Buffer, random: Random) => Buffer;

const PAGE = 4096;
/** The part of a page where SQLite keeps what the page is and where its cells begin. */
const PAGE_HEAD = 64;

/** Damage that a disk, a copy or a hand does to a SQLite file. */
export const fileDamages = {
  "a bit in the file's header": (content, random) => flipBit(content, random.below(100), random),
  "a bit in the schema's page": (content, random) => flipBit(content, 100 + random.below(PAGE - 100), random),
  "a bit at the start of an inner page of a table": inPage(5, PAGE_HEAD, flipBit),
  "a bit at the start of a leaf of a table": inPage(13, PAGE_HEAD, flipBit),
  "a bit in a leaf of a table": inPage(13, PAGE, flipBit),
  "a bit at the start of an inner page of an index": inPage(2, PAGE_HEAD, flipBit),
  "a bit at the start of a leaf of an index": inPage(10, PAGE_HEAD, flipBit),
  "a bit in a leaf of an index": inPage(10, PAGE, flipBit),
  "a bit anywhere": (content, random) => flipBit(content, random.below(content.length), random),
  "a byte anywhere": (content, random) => {
    content[random.below(content.length)] = random.below(256);
    return content;
  },
  "a bit in the text of a payload": (content, random) =>
    flipBit(content, insidePayload(content, random), random),
  "a page of zeros": (content, random) => content.fill(0, ...boundsOf(anyPage(content, random))),
  "a page in the place of another": (content, random) => {
    const page = content.subarray(...boundsOf(anyPage(content, random)));
    page.copy(content, PAGE * anyPage(content, random));
    return content;
  },
  "cut off anywhere": (content, random) => content.subarray(0, 1 + random.below(content.length - 1)),
  "cut off behind a page": (content, random) => content.subarray(0, PAGE * (1 + anyPage(content, random, 1))),
  "cut off to nothing": () => Buffer.alloc(0),
  "a text file": () => Buffer.from("once upon a time\n".repeat(500)),
} as const satisfies Record<string, Damage>;

/** Damage to a journal, whose frames have checksums. */
export const journalDamages = {
  "a bit in the journal's header": (content, random) => flipBit(content, random.below(32), random),
  "a bit in the journal": (content, random) => flipBit(content, random.below(content.length), random),
  "a journal cut off": (content, random) => content.subarray(0, random.below(content.length)),
  "a journal cut off behind a frame": (content, random) =>
    content.subarray(0, 32 + FRAME * random.below(Math.floor(content.length / FRAME))),
  "a frame of zeros": (content, random) => {
    const start = 32 + FRAME * random.below(Math.floor((content.length - 32) / FRAME));
    return content.fill(0, start, start + FRAME);
  },
} as const satisfies Record<string, Damage>;

const FRAME = 24 + PAGE;

function flipBit(content: Buffer, place: number, random: Random): Buffer {
  content[place] = (content[place] ?? 0) ^ (1 << random.below(8));
  return content;
}

/** Damages one of the pages of a kind, within its first bytes. A file without such a page is damaged anywhere. */
function inPage(
  kind: number,
  within: number,
  damage: (content: Buffer, place: number, random: Random) => Buffer,
): Damage {
  return (content, random) => {
    const pages = Array.from({ length: content.length / PAGE }, (_, page) => page);
    const ofKind = pages.filter((page) => page > 0 && content[page * PAGE] === kind);
    const page = ofKind.length > 0 ? random.pick(ofKind) : anyPage(content, random);
    return damage(content, page * PAGE + random.below(within), random);
  };
}

/** A place inside an object of JSON, where a flipped bit often leaves JSON. */
function insidePayload(content: Buffer, random: Random): number {
  const start = content.indexOf('{"', random.below(content.length));
  const from = start < 0 ? content.indexOf('{"') : start;
  return Math.max(0, from) + 2 + random.below(120);
}

function anyPage(content: Buffer, random: Random, except = 0): number {
  return random.below(Math.max(1, Math.floor(content.length / PAGE) - except));
}

const boundsOf = (page: number): [number, number] => [page * PAGE, (page + 1) * PAGE];
