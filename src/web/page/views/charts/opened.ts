import { useAddress } from "../../address.ts";

/**
 * Whether a part of a chart is open, and what opens or closes it. The address has it, as all that is chosen.
 *
 * @param part its name in the address, under which stand the charts whose part is open
 */
export function useOpened(part: "table" | "how", chart: string): readonly [boolean, () => void] {
  const { get, go } = useAddress();
  const charts = (get(part) ?? "").split(",").filter((name) => name !== "");
  const isOpen = charts.includes(chart);
  const others = charts.filter((name) => name !== chart);
  return [isOpen, () => go({ [part]: (isOpen ? others : [...others, chart]).join(",") })];
}
