import type { AnswerOf } from "../../../server/answers/index.ts";

export type Section = AnswerOf<"timeline">["sections"][number];
export type SectionSession = NonNullable<Section["session"]>;

/** A row of the list: a session's head, or a card by its index. */
export type Row =
  | {
      readonly key: string;
      readonly session: SectionSession;
      readonly cards: number;
      readonly isOpen: boolean;
    }
  | { readonly key: string; readonly card: number; readonly isInside: boolean };

/** The visible rows: folded sections show only their heads. */
export function rowsOf(sections: readonly Section[], isOpen: (section: Section) => boolean): Row[] {
  return sections.flatMap((section): Row[] => {
    const { session, first, cards } = section;
    const shown = session === null || isOpen(section);
    const head: Row[] = session ? [{ key: headKey(session.id), session, cards, isOpen: shown }] : [];
    if (!shown) return head;
    const inside = Array.from({ length: cards }, (_, nth) => ({
      key: cardKey(first + nth),
      card: first + nth,
      isInside: session !== null,
    }));
    return [...head, ...inside];
  });
}

export function cardKey(index: number): string {
  return `card ${index}`;
}

function headKey(session: string): string {
  return `head ${session}`;
}

/** The session of a card. */
export function sessionOfCard(sections: readonly Section[], index: number): string | undefined {
  return sections.find(({ first, cards }) => index >= first && index < first + cards)?.session?.id;
}

export function countOf(sections: readonly Section[]): number {
  return sections.reduce((sum, { cards }) => sum + cards, 0);
}
