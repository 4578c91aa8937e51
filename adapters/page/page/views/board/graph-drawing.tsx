import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAddress } from "../../address.ts";
import { type Neighbour, type Neighbours, visible } from "../../core.ts";
import { stateWords } from "../../parts/status-words.ts";

/** Three columns fit beside the pane on a screen of 1280 pixels. */
const WIDTH = 184;
const HEIGHT = 46;
const MARGIN = 12;
/** Between two boxes of a column, and between two columns. */
const GAP = { row: 14, column: 52 };

/** Tasks as linked boxes, dependencies to the left. The rules exclude cycles. */
export function GraphDrawing({ neighbours }: { readonly neighbours: Neighbours }) {
  const { nodes, edges, width, height } = useMemo(() => laidOut(neighbours), [neighbours]);
  return (
    <svg class="graph-drawing" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>Dependencies, from left to right</title>
      <defs>
        <marker
          id="graph-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8Z" />
        </marker>
      </defs>
      {edges.map(({ name, path }) => (
        <path key={name} class="graph-edge" d={path} marker-end="url(#graph-arrow)" />
      ))}
      {nodes.map(({ task, x, y }) => (
        <Node key={task.id} task={task} x={x} y={y} />
      ))}
    </svg>
  );
}

interface NodeProps {
  readonly task: Neighbour;
  /** Of the centre. */
  readonly x: number;
  readonly y: number;
}

function Node({ task, x, y }: NodeProps) {
  const { with: to } = useAddress();
  const { id, title, status, waits, is } = task;
  const left = x - WIDTH / 2;
  const top = y - HEIGHT / 2;
  return (
    <Link
      href={to({ task: id })}
      class={`graph-node is-${is} status-${status}`}
      aria-current={is === "itself" ? "true" : undefined}
    >
      <rect x={left} y={top} width={WIDTH} height={HEIGHT} rx="6" />
      <foreignObject x={left} y={top} width={WIDTH} height={HEIGHT}>
        <p class="graph-title">
          #{id} {visible(title)}
        </p>{" "}
        <p class="graph-status">{stateWords({ status, isWaiting: waits === 1 })}</p>
      </foreignObject>
    </Link>
  );
}

/** One column per rank, each centred vertically, in the order of the list. */
function laidOut({ tasks, edges }: Neighbours) {
  const columns: Neighbour[][] = [];
  const rank = ranksOf(tasks, edges);
  for (const task of tasks) {
    const column = rank.get(task.id) ?? 0;
    columns[column] = [...(columns[column] ?? []), task];
  }
  const rows = Math.max(...columns.map((column) => column?.length ?? 0));
  const height = 2 * MARGIN + rows * (HEIGHT + GAP.row) - GAP.row;
  // In tab order from left to right, and then from top to bottom.
  const nodes = columns.flatMap((column, nth) =>
    column.map((task, row) => ({
      task,
      x: MARGIN + WIDTH / 2 + nth * (WIDTH + GAP.column),
      y: height / 2 + (row - (column.length - 1) / 2) * (HEIGHT + GAP.row),
    })),
  );
  const placeOf = new Map(nodes.map(({ task, x, y }) => [task.id, { x, y }]));
  return {
    nodes,
    edges: edges.flatMap(({ task, depends_on }) => {
      const [from, to] = [placeOf.get(depends_on), placeOf.get(task)];
      if (!from || !to) return [];
      const [start, end] = [from.x + WIDTH / 2, to.x - WIDTH / 2];
      const bend = Math.min(GAP.column, end - start) / 2;
      const path = `M${start} ${from.y} C${start + bend} ${from.y} ${end - bend} ${to.y} ${end} ${to.y}`;
      return [{ name: `${depends_on} ${task}`, path }];
    }),
    width: 2 * MARGIN + columns.length * (WIDTH + GAP.column) - GAP.column,
    height,
  };
}

/** The longest chain of dependencies before each task; one round per task is enough. */
function ranksOf(tasks: Neighbours["tasks"], edges: Neighbours["edges"]): ReadonlyMap<number, number> {
  const rank = new Map(tasks.map(({ id }) => [id, 0]));
  for (let round = 1; round < tasks.length; round++) {
    for (const { task, depends_on } of edges) {
      rank.set(task, Math.max(rank.get(task) ?? 0, (rank.get(depends_on) ?? 0) + 1));
    }
  }
  return rank;
}
