import { expect, test } from "vitest";
import { Spread } from "../../src/loop/spread.ts";

/* Catches: drivers that all try the same task, one that skips what is more urgent, a lone driver that leaves the order,
 * a task that is tried for ever while others wait. */

const tasksOf = (length: number, priority = "medium") =>
  Array.from({ length }, (_, index) => ({ id: index + 1, priority }));

test("a driver alone takes the tasks in their order", () => {
  const spread = new Spread();
  const ready = tasksOf(20);
  const taken = ready.map((_, index) => {
    const task = spread.choose(ready.slice(index));
    if (task) spread.claimed(task);
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
        driver.claimed(task);
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

test("a task that is tried again and again lets the others of its priority have their turn, and no less urgent one", () => {
  const spread = new Spread();
  const ready = [...tasksOf(3), { id: 9, priority: "low" }];
  const turn = () => {
    const task = spread.choose(ready);
    if (task) spread.claimed(task);
    return task?.id;
  };
  expect(Array.from({ length: 5 }, turn)).toEqual([1, 2, 3, 1, 2]);
  spread.finished({ id: 3 });
  expect(Array.from({ length: 3 }, turn)).toEqual([3, 3, 1]);
});

test("so many tasks are enough to choose from as were begun and may come again, and one more", () => {
  const spread = new Spread();
  for (const task of tasksOf(3)) spread.claimed(task);
  spread.finished({ id: 2 });
  expect(spread.among).toBe(3);
});
