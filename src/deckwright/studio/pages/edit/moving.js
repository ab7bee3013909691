/** Elements that are moved and resized on a face: what an edge may snap to, in mm. */

const REACH = 6; // px within which an edge snaps
export const STEP = 0.1; // mm

export const EDGES = ["left", "top", "right", "bottom"];
export const STILL = { left: 0, top: 0, right: 0, bottom: 0 };

const onFace = ([a, b, c, d, e, f], x, y) => [a * x + c * y + e, b * x + d * y + f];

/**
 * Return the corners of an element's frame on the face, clockwise, after its edges moved.
 *
 * @param {any} edges
 */
export function cornersOf({ frame, extent, matrix }, edges = STILL) {
  const { left, top, right, bottom } = edges;
  const { x, y, width, height } = frame ?? extent;
  const corners = (dx, dy, dw, dh) => [
    [x + dx, y + dy],
    [x + width + dw, y + dy],
    [x + width + dw, y + height + dh],
    [x + dx, y + height + dh],
  ];
  if (frame) return corners(left, top, right, bottom).map((corner) => onFace(matrix, ...corner));
  const [a, b, c, d] = matrix; // it moves as a whole
  const [dx, dy] = onFace([a, b, c, d, 0, 0], left, top);
  return corners(dx, dy, dx, dy);
}

function boxOf(element, edges) {
  const corners = cornersOf(element, edges);
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

export function invert([a, b, c, d], dx, dy) {
  const size = a * d - b * c;
  return size ? [(d * dx - c * dy) / size, (a * dy - b * dx) / size] : [0, 0];
}

const middle = (from, to) => (from + to) / 2;

/** Return the lines that edges snap to: of the card, of its safe zone, of other elements. */
export function snapLines({ width, height, safe = 0 }, others) {
  const across = [0, width, width / 2, safe, width - safe];
  const down = [0, height, height / 2, safe, height - safe];
  for (const element of others) {
    const { left, right, top, bottom } = boxOf(element);
    across.push(left, right, middle(left, right));
    down.push(top, bottom, middle(top, bottom));
  }
  return { across, down };
}

/**
 * Return how far something moves, where its edges would snap, and the line that they snap to.
 *
 * @param edges where the edges are that may snap.
 * @param by how far they are dragged, in mm.
 */
function snapAlong(edges, by, lines, reach, grid) {
  let best = { by: Math.round(by / STEP) * STEP, line: null };
  let nearest = reach;
  for (const edge of edges)
    for (const line of lines) {
      const off = Math.abs(line - edge - by);
      if (off >= nearest) continue;
      nearest = off;
      best = { by: line - edge, line };
    }
  if (best.line === null && grid && edges.length)
    best = { by: Math.round((edges[0] + by) / grid) * grid - edges[0], line: null };
  return best;
}

/**
 * Return how far the edges of an element move when it is dragged, in its own coordinates, and the
 * lines that they have snapped to.
 *
 * @param {string[]} held the edges that are dragged; none for the whole.
 * @param {number[]} way on the face, in mm.
 * @param {{lines: {across: number[], down: number[]} | null, grid: number, scale: number}} snap
 */
export function drag(element, held, way, snap) {
  const { lines, grid, scale } = snap;
  const [dx, dy] = way;
  const { axes, matrix } = element;
  const upright = Math.abs(matrix[1]) + Math.abs(matrix[2]) < 1e-6;
  const box = boxOf(element);
  const whole = !held.length;
  const all = (from, to) => [from, to, middle(from, to)];
  const heldAlong = (from, to) =>
    held.filter((edge) => edge === from || edge === to).map((edge) => box[edge]);
  const edgesAlong = (from, to) =>
    whole ? all(box[from], box[to]) : upright ? heldAlong(from, to) : [];
  const [free, reach] = [lines ?? { across: [], down: [] }, REACH / scale];
  const x = snapAlong(edgesAlong("left", "right"), dx, free.across, reach, lines && grid);
  const y = snapAlong(edgesAlong("top", "bottom"), dy, free.down, reach, lines && grid);
  const [right, down] = invert(matrix, x.by, y.by);
  const edges = whole ? moveEdges(axes, right, down) : resizeEdges(element, held, right, down);
  return { edges, lines: { x: x.line, y: y.line } };
}

/** Whether an edge of an element can be moved alone. */
export function isFree({ axes }, edge) {
  const [size, place] = edge === "left" || edge === "right" ? ["w", "x"] : ["h", "y"];
  return axes[size] === "free" && (edge === "right" || edge === "bottom" || axes[place] === "free");
}

export const isSquare = ({ names }) => Boolean(names[2]) && names[2] === names[3];

/** Return how the edges move if the whole does, where its place is not computed. */
export function moveEdges({ x, y }, right, down) {
  const [across, along] = [x === "free" ? right : 0, y === "free" ? down : 0];
  return { left: across, right: across, top: along, bottom: along };
}

const LEAST = 0.1; // mm, of a side that is made smaller

/** Return how the edges move if some of them are dragged; squares stay squares. */
export function resizeEdges({ frame, axes, names }, held, right, down) {
  const edges = { ...STILL };
  const ways = { left: right, right, top: down, bottom: down };
  for (const edge of held) if (isFree({ axes }, edge)) edges[edge] = ways[edge];
  const [widest, highest] = [frame.width - LEAST, frame.height - LEAST];
  edges.left = Math.min(edges.left, widest);
  edges.right = Math.max(edges.right, -widest);
  edges.top = Math.min(edges.top, highest);
  edges.bottom = Math.max(edges.bottom, -highest);
  if (isSquare({ names })) {
    const [wider, higher] = [edges.right - edges.left, edges.bottom - edges.top];
    const grown = Math.abs(wider) > Math.abs(higher) ? wider : higher;
    if (held.includes("left")) edges.left = -grown;
    else edges.right = grown;
    if (held.includes("top")) edges.top = -grown;
    else edges.bottom = grown;
  }
  return edges;
}
