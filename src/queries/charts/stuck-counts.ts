/** Task count per non-zero stuck count (docs/rules.md, Stagnation). */
export function stuckCounts(): string {
  return `SELECT stuck_count, count(*) AS tasks FROM tasks
WHERE stuck_count > 0 GROUP BY stuck_count ORDER BY stuck_count`;
}
