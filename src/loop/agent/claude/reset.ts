/**
 * When a usage limit is over by Claude Code's own words: `resets 1:30am (Asia/Dhaka)`, `resets Feb 4, 8pm (Europe/Budapest)`
 * (anthropics/claude-code issues 54698 and 22603). Undefined where it says no such thing.
 */
export function resetIn(text: string, now: Date): Date | undefined {
  const match = /resets (?:([A-Z][a-z]{2}) (\d{1,2}), )?(\d{1,2})(?::(\d{2}))?(am|pm) \(([\w/+-]+)\)/.exec(
    text,
  );
  if (!match) return undefined;
  const [, month, day, hour, minute = "0", half, zone = ""] = match;
  const wall = wallClock(now, zone);
  if (!wall) return undefined;
  const dated = month !== undefined && day !== undefined;
  const target = new Date(wall);
  if (dated) target.setUTCMonth(MONTHS.indexOf(month), Number(day));
  target.setUTCHours((Number(hour) % 12) + (half === "pm" ? 12 : 0), Number(minute), 0, 0);
  if (!dated && target <= wall) target.setUTCDate(target.getUTCDate() + 1);
  // In December it may name a day of January.
  if (dated && wall.getTime() - target.getTime() > HALF_YEAR_MS)
    target.setUTCFullYear(target.getUTCFullYear() + 1);
  return new Date(now.getTime() + target.getTime() - wall.getTime());
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const HALF_YEAR_MS = 182 * 86_400_000;

/** What clocks in a time zone show at a moment, as if it were UTC; undefined for a zone that there is not. */
function wallClock(at: Date, timeZone: string): Date | undefined {
  try {
    // Of all languages this one writes a date as ISO 8601 does.
    return new Date(`${at.toLocaleString("sv", { timeZone }).replace(" ", "T")}Z`);
  } catch {
    return undefined;
  }
}
