import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

const PAGE = packagePath("adapters/page/page");
const css = readFileSync(`${PAGE}/style/tokens.css`, "utf8");
const [inLight = "", inDark = ""] = css.split(':root[data-theme="dark"]');
const light = tokensIn(inLight);
const themes = [
  ["light", light],
  ["dark", { ...light, ...tokensIn(inDark) }],
] as const;

type Tokens = Readonly<Record<string, string>>;
type Colour = readonly [red: number, green: number, blue: number];

const GROUNDS = ["ground", "raised", "sunken", "selected"];
const PHASES = ["idle", "analyzing", "implementing", "testing", "committing", "reviewing", "done", "failed"];
const TEXTS = ["text", "muted", "accent", "danger", ...PHASES];

/** What WCAG 2.2 AA asks for: of text (1.4.3), and of controls and what a picture means by them (1.4.11). */
const OF_TEXT = 4.5;
const OF_FORMS = 3;

test.each(themes)("every text can be read on every ground of the %s theme", (_, tokens) => {
  for (const ground of GROUNDS)
    for (const text of TEXTS) expectContrast(tokens, text, colour(tokens, ground), OF_TEXT);
});

test.each(themes)(
  "borders of controls, bars and the focus ring are seen on every ground of the %s theme",
  (_, tokens) => {
    const forms = ["control", "accent", ...PHASES.map((phase) => `${phase}-bar`)];
    for (const ground of GROUNDS)
      for (const form of forms) expectContrast(tokens, form, colour(tokens, ground), OF_FORMS);
  },
);

test.each(themes)("a badge can be read on its own tint in the %s theme", (_, tokens) => {
  const tint = Number.parseInt(tokens.tint ?? "", 10) / 100;
  for (const ground of GROUNDS)
    for (const text of ground === "ground" || ground === "raised" ? TEXTS : ["text"]) {
      const tinted = mix(colour(tokens, text), colour(tokens, ground), tint);
      expectContrast(tokens, text, tinted, OF_TEXT);
    }
});

test.each(themes)(
  "the banner of the past and prominent buttons are readable in the %s theme",
  (_, tokens) => {
    expectContrast(tokens, "past-text", colour(tokens, "past-ground"), 7);
    expectContrast(tokens, "on-accent", colour(tokens, "accent"), OF_TEXT);
    expectContrast(tokens, "on-accent", colour(tokens, "danger"), OF_TEXT);
  },
);

test("the themes have the same names, and the page takes its colours from them alone", () => {
  expect(Object.keys(tokensIn(inDark))).toEqual(Object.keys(light));
  const styles = readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.(css|tsx)$/.test(name) && name !== "style/tokens.css",
  );
  expect(styles.length).toBeGreaterThan(20);
  const strangers = styles.filter((name) =>
    /#[0-9a-f]{6}\b|rgba?\(|hsla?\(/i.test(readFileSync(`${PAGE}/${name}`, "utf8")),
  );
  expect(strangers).toEqual([]);
});

function expectContrast(tokens: Tokens, name: string, ground: Colour, least: number): void {
  const ratio = contrast(colour(tokens, name), ground);
  expect(ratio, `${name} on rgb(${ground.map(Math.round)})`).toBeGreaterThanOrEqual(least);
}

/** The colours and the tint, which every theme has; not the steps of type and spacing. */
function tokensIn(block: string): Tokens {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].flatMap(([, name, value = ""]) =>
      /^(#|\d+%$)/.test(value) ? [[name, value]] : [],
    ),
  );
}

function colour(tokens: Tokens, name: string): Colour {
  const hex = /^#([0-9a-f]{6})$/.exec(tokens[name] ?? "")?.[1];
  if (hex === undefined) throw new Error(`--${name} is no colour: ${tokens[name]}`);
  const part = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return [part(0), part(2), part(4)];
}

function mix(over: Colour, under: Colour, share: number): Colour {
  const part = (nth: 0 | 1 | 2) => over[nth] * share + under[nth] * (1 - share);
  return [part(0), part(1), part(2)];
}

/** WCAG 2.2, definition of contrast ratio. */
function contrast(one: Colour, other: Colour): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

/** WCAG 2.2, definition of relative luminance. */
function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
