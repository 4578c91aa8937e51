import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.ts";

/** Text like that of the corpus: its words as often as they stand there, and names that occur once. */
export class Words {
  readonly #random: Random;
  readonly #words: readonly string[];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#words = corpusWords();
  }

  sentence(length: number): string {
    const words = Array.from({ length }, () => this.#random.pick(this.#words));
    return `${words.join(" ")}.`;
  }

  /** A sentence about something of its own, as what is learned and found mostly is. */
  remark(length: number): string {
    const words = this.sentence(length).split(" ");
    words.splice(this.#random.below(length), 0, this.name(), this.name());
    return words.join(" ");
  }

  /** A name in code, never the same twice. */
  name(): string {
    this.#names += 1;
    return `\`${this.#random.pick(this.#words)}${this.#random.pick(CAPITALISED)}${this.#names.toString(36)}\``;
  }
}

const CAPITALISED = ["Handler", "Test", "Route", "Config", "Store", "View", "Job", "Client"];

function corpusWords(): string[] {
  const folder = join("fixtures", "sims");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => textsOf(JSON.parse(readFileSync(join(folder, file), "utf8")).steps))
    .flatMap((text) => text.match(/[\p{L}`./_()-]{2,30}/gu) ?? []);
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return value.length > 30 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
