import { useAddress } from "../../address.ts";

/**
 * Whether a part of a chart is open, kept in the address; and a function that toggles it.
 *
 * @param part the name in the address, whose value lists the charts with that part open
 */
export function useOpened(part: "table" | "how", chart: string): readonly [boolean, () => void] {
  const { get, go } = useAddress();
  const charts = (get(part) ?? "").split(",").filter((name) => name !== "");
  const isOpen = charts.includes(chart);
  const others = charts.filter((name) => name !== chart);
  return [isOpen, () => go({ [part]: (isOpen ? others : [...others, chart]).join(",") })];
}
