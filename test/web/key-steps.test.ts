import { describe, expect, test } from "vitest";
import { keyStep, workingKeys } from "../../adapters/page/page/key-steps.ts";

describe("a pressed key", () => {
  const keys = ["j", "g b", "g g", "Ctrl-k"];

  test("does what is bound to it, or begins a sequence", () => {
    expect(keyStep(keys, "j")).toEqual({ key: "j" });
    expect(keyStep(keys, "Ctrl-k")).toEqual({ key: "Ctrl-k" });
    expect(keyStep(keys, "g")).toEqual({ begins: "g" });
    expect(keyStep(keys, "b")).toBeUndefined();
  });

  test("completes the sequence that was begun, and cancels it if it is another key", () => {
    expect(keyStep(keys, "b", "g")).toEqual({ key: "g b" });
    expect(keyStep(keys, "g", "g")).toEqual({ key: "g g" });
    expect(keyStep(keys, "j", "g")).toBeUndefined();
    expect(keyStep(keys, "Escape", "g")).toBeUndefined();
  });

  test("that is bound itself begins no sequence", () => {
    expect(keyStep([...keys, "g"], "g")).toEqual({ key: "g" });
  });
});

describe("of the actions", () => {
  const bind = (area: string, ...keys: string[]) => ({
    area,
    bindings: keys.map((key) => ({ key, does: `${area} ${key}`, run() {} })),
  });
  const listed = (areas: ReturnType<typeof workingKeys>) =>
    areas.map(({ area, bindings }) => [area, ...bindings.map(({ key, does }) => [key, does])]);

  test("the last for a key has it, the other keeps its name, and an area's stand together", () => {
    const bound = [
      bind("Everywhere", "c"),
      bind("Timeline", "c", "n"),
      bind("Pane", "x"),
      bind("Timeline", "e"),
    ];
    const rank = (area: string) => (area === "Everywhere" ? 1 : 0);
    expect(listed(workingKeys(bound, rank))).toEqual([
      ["Timeline", ["e", "Timeline e"], ["c", "Timeline c"], ["n", "Timeline n"]],
      ["Pane", ["x", "Pane x"]],
      ["Everywhere", [undefined, "Everywhere c"]],
    ]);
  });

  test("of one name without a key there is one, and ranks order the areas", () => {
    const named = (does: string) => ({ area: "Everywhere", bindings: [{ does, run() {} }] });
    const bound = [
      bind("Board", "j"),
      named("theme: dark"),
      named("theme: dark"),
      bind("Selected task", "s"),
    ];
    const rank = (area: string) => ["Selected task", "Board", "Everywhere"].indexOf(area);
    expect(listed(workingKeys(bound, rank))).toEqual([
      ["Selected task", ["s", "Selected task s"]],
      ["Board", ["j", "Board j"]],
      ["Everywhere", [undefined, "theme: dark"]],
    ]);
  });
});
