import { Graph, layout } from "@dagrejs/dagre";
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { visible } from "../../../../events/visible.ts";
import type { Neighbour, Neighbours } from "../../../../projections/queries/neighbours.ts";
import { shorten } from "../../../../shorten.ts";
import { useAddress } from "../../address.ts";
import { statusWords } from "../../parts/status-words.ts";

const WIDTH = 200;
const HEIGHT = 46;
const MARGIN = 12;

/** Tasks as boxes, each a link, from what is needed first to what waits for it: a circle is impossible by rule. */
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
  /** Of its middle. */
  readonly x: number;
  readonly y: number;
}

function Node({ task, x, y }: NodeProps) {
  const { with: to } = useAddress();
  const { id, title, status, is } = task;
  const left = x - WIDTH / 2;
  const top = y - HEIGHT / 2;
  return (
    <Link
      href={to({ task: id })}
      class={`graph-node is-${is} status-${status}`}
      aria-current={is === "itself" ? "true" : undefined}
    >
      <rect x={left} y={top} width={WIDTH} height={HEIGHT} rx="6" />
      <text x={left + 10} y={top + 19}>
        #{id} {visible(shorten(title, TITLE))}
      </text>
      <text class="graph-status" x={left + 10} y={top + 36}>
        {statusWords[status]}
      </text>
    </Link>
  );
}

/** So many characters fit a box. */
const TITLE = 22;

interface Point {
  readonly x: number;
  readonly y: number;
}

function laidOut({ tasks, edges }: Neighbours) {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 60, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of tasks) graph.setNode(String(id), { width: WIDTH, height: HEIGHT });
  for (const { task, depends_on } of edges) graph.setEdge(String(depends_on), String(task));
  layout(graph);
  const { width, height }: { width: number; height: number } = graph.graph();
  return {
    // In tab order from left to right, and then from top to bottom.
    nodes: tasks
      .map((task) => {
        const { x, y }: Point = graph.node(String(task.id));
        return { task, x, y };
      })
      .sort((a, b) => a.x - b.x || a.y - b.y),
    edges: edges.map(({ task, depends_on }) => {
      const { points }: { points: readonly Point[] } = graph.edge(String(depends_on), String(task));
      return {
        name: `${depends_on} ${task}`,
        path: points.map(({ x, y }, nth) => `${nth === 0 ? "M" : "L"}${x} ${y}`).join(" "),
      };
    }),
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}
