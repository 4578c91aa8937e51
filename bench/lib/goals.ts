/** What a figure should be, and whether it is. */
export interface Goal {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
  readonly met: boolean;
}

type Format = (figure: number) => string;

export function below(what: string, figure: number, limit: number, format: Format): Goal {
  return { what, figure: format(figure), goal: `< ${format(limit)}`, met: figure < limit };
}

export function atMost(what: string, figure: number, limit: number, format: Format): Goal {
  return { what, figure: format(figure), goal: `≤ ${format(limit)}`, met: figure <= limit };
}

export function atLeast(what: string, figure: number, limit: number, format: Format): Goal {
  return { what, figure: format(figure), goal: `≥ ${format(limit)}`, met: figure >= limit };
}
