/**
 * The end of a usage limit in Claude Code's words: `resets 1:30am (Asia/Dhaka)`, `resets Feb 4, 8pm
 * (Europe/Budapest)` (anthropics/claude-code issues 54698 and 22603). Undefined for other texts.
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
  // In December it can name a day in January.
  if (dated && wall.getTime() - target.getTime() > HALF_YEAR_MS)
    target.setUTCFullYear(target.getUTCFullYear() + 1);
  return new Date(now.getTime() + target.getTime() - wall.getTime());
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const HALF_YEAR_MS = 182 * 86_400_000;

/** The local time of a moment in a time zone, as if it were UTC; undefined for an unknown zone. */
function wallClock(at: Date, timeZone: string): Date | undefined {
  try {
    // The locale that writes dates in ISO 8601 order.
    return new Date(`${at.toLocaleString("sv", { timeZone }).replace(" ", "T")}Z`);
  } catch {
    return undefined;
  }
}
