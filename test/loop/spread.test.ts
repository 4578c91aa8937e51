import { expect, test } from "vitest";
import { Spread } from "../../src/loop/spread.ts";

/* Catches: drivers that all try the same task, one that skips what is more urgent, a lone driver that leaves the order. */

const tasksOf = (length: number, priority = "medium") =>
  Array.from({ length }, (_, index) => ({ id: index + 1, priority }));

test("a driver alone takes the tasks in their order", () => {
  const spread = new Spread();
  const ready = tasksOf(20);
  const taken = ready.map((_, index) => {
    const task = spread.choose(ready.slice(index));
    spread.claimed();
    return task?.id;
  });
  expect(taken).toEqual(ready.map(({ id }) => id));
});

test("sixty-four drivers that look at the same moment claim a thousand tasks with at most two tries for each", () => {
  const drivers = Array.from({ length: 64 }, () => new Spread());
  let ready = tasksOf(1_000);
  let tries = 0;
  while (ready.length > 0) {
    const seen = ready;
    const taken = new Set<number>();
    for (const driver of drivers) {
      const task = driver.choose(seen);
      if (!task) continue;
      tries += 1;
      if (taken.has(task.id)) driver.lost();
      else {
        taken.add(task.id);
        driver.claimed();
      }
    }
    ready = ready.filter(({ id }) => !taken.has(id));
  }
  expect(tries).toBeLessThanOrEqual(2_000);
});

test("nobody tries a less urgent task before the urgent ones are claimed", () => {
  const spread = new Spread();
  for (let round = 0; round < 8; round++) spread.lost();
  const ready = [...tasksOf(2, "critical"), ...tasksOf(200)];
  const chosen = Array.from({ length: 200 }, () => spread.choose(ready)?.priority);
  expect(new Set(chosen)).toEqual(new Set(["critical"]));
});
