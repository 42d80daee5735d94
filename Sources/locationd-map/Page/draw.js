// Draws the features of a tile: the world's below, those of extracts on it.

import * as style from './style.js';

// The part of a ring that lies within a box; each side cuts it once.
function clip(points, west, north, east, south) {
  for (const [axis, bound, keepsLess] of [[0, west, false], [0, east, true], [1, north, false], [1, south, true]]) {
    const kept = [];
    let ax = points[points.length - 2], ay = points[points.length - 1];
    let aIn = keepsLess ? (axis ? ay : ax) <= bound : (axis ? ay : ax) >= bound;
    for (let i = 0; i < points.length; i += 2) {
      const bx = points[i], by = points[i + 1];
      const bIn = keepsLess ? (axis ? by : bx) <= bound : (axis ? by : bx) >= bound;
      if (aIn !== bIn) {
        const t = axis ? (bound - ay) / (by - ay) : (bound - ax) / (bx - ax);
        kept.push(ax + (bx - ax) * t, ay + (by - ay) * t);
      }
      if (bIn) kept.push(bx, by);
      [ax, ay, aIn] = [bx, by, bIn];
    }
    points = kept;
    if (!points.length) break;
  }
  return points;
}

export function draw(pen, zoom, world, extract) {
  const byKind = parts => {
    const all = new Map();
    for (const part of parts) {
      for (const feature of part.features) {
        const own = all.get(feature.kind) ?? all.set(feature.kind, []).get(feature.kind);
        own.push({ ...feature, part });
      }
    }
    return all;
  };
  const outer = byKind(world), inner = byKind(extract);

  // Some features of a kind as one path.
  const trace = (features, isArea) => {
    pen.beginPath();
    let isEmpty = true;
    for (const { rings, part: { scale, left, top } } of features) {
      const reach = 40 / scale;
      const west = -left / scale - reach, north = -top / scale - reach;
      const east = west + 256 / scale + 2 * reach, south = north + 256 / scale + 2 * reach;
      for (const ring of rings) {
        if (ring.east < west || ring.west > east || ring.south < north || ring.north > south) continue;
        isEmpty = false;
        // Points far beyond the tile are only slow.
        const points = isArea && scale > 4 ? clip(ring.points, west, north, east, south) : ring.points;
        let isDown = false;
        for (let i = 0; i < points.length; i += 2) {
          const x = points[i], y = points[i + 1];
          const [ax, ay] = i ? [points[i - 2], points[i - 1]] : [x, y];
          if (!isArea && ((x < west && ax < west) || (x > east && ax > east) || (y < north && ay < north) || (y > south && ay > south))) {
            isDown = false;
            continue;
          }
          if (!isDown) pen.moveTo(ax * scale + left, ay * scale + top);
          if (i) pen.lineTo(x * scale + left, y * scale + top);
          isDown = true;
        }
        if (isArea) pen.closePath();
      }
    }
    return !isEmpty;
  };
  const stroke = (colour, width, dash = [], cap = 'round') => {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.lineCap = cap;
    pen.setLineDash(dash);
    pen.stroke();
  };
  const paint = (features, kind) => {
    if (!features || zoom < style.areas[kind][0] || !trace(features, true)) return;
    pen.fillStyle = style.fill(kind);
    pen.fill();
    if (kind === 'water' || (kind === 'land' && features === outer.get('land'))) stroke(style.shore(), 1);
    if (kind === 'building' && zoom > 14) stroke(style.outline(), 0.7);
  };
  const line = (kind, features = inner.get(kind)) => {
    const [from, widths, , , dash] = style.lines[kind];
    if (features && zoom >= from && trace(features)) stroke(style.line(kind), style.width(widths, zoom), dash, dash ? 'butt' : 'round');
  };

  pen.lineJoin = 'round';
  pen.fillStyle = style.fill('cover');
  pen.fillRect(0, 0, 256, 256);
  paint(outer.get('land'), 'land');
  // Where the extract has lakes of its own the world's, which are coarser, would lie beside them.
  if (!inner.has('water')) paint(outer.get('water'), 'water');
  for (const kind in style.areas) {
    // Between the areas of the ground and what is built on it.
    if (kind === 'pier') {
      if (inner.has('shore') && trace(inner.get('shore'))) stroke(style.shore(), 1);
      line('stream');
      line('river');
    }
    paint(inner.get(kind), kind);
  }
  // Near by they are too coarse to lie among streets.
  if (zoom < 11 || !inner.size) {
    line('province', outer.get('province'));
    line('border', outer.get('border'));
  }
  drawRoads(pen, zoom, inner, { trace, stroke, line });
}

const [isBridge, isTunnel, isLink] = [1, 2, 4];

function drawRoads(pen, zoom, inner, { trace, stroke, line }) {
  for (const kind of ['path', 'steps', 'cycleway', 'track']) line(kind);
  const shown = Object.keys(style.roads).filter(kind => inner.has(kind) && zoom >= style.roads[kind][0]);
  const pass = (selects, body) => {
    for (const kind of shown) {
      for (const link of [isLink, 0]) {
        const some = inner.get(kind).filter(({ flags }) => (flags & isLink) === link && selects(flags & (isBridge | isTunnel)));
        if (some.length && trace(some)) body(style.road(kind), style.width(style.roads[kind][1], zoom) * (link ? 0.7 : 1));
      }
    }
  };
  const edge = zoom > 12 ? (zoom > 15 ? 2 : 1.4) : zoom > 10 ? 1 : 0;
  const rails = () => {
    line('rail');
    if (zoom > 12 && inner.has('rail') && trace(inner.get('rail'))) stroke(style.fill('land'), style.width(style.lines.rail[1], zoom) * 0.5, [7, 7], 'butt');
  };
  pen.globalAlpha = 0.4;
  pass(flags => flags & isTunnel, ({ fill }, width) => stroke(fill, width));
  pen.globalAlpha = 1;
  pass(flags => flags & isTunnel, ({ casing }, width) => { if (width > 2) stroke(casing, 0.7, [4, 3], 'butt'); });
  if (edge) pass(flags => !flags, ({ casing }, width) => { if (width > 1) stroke(casing, width + edge); });
  pass(flags => !flags, ({ fill, casing }, width) => stroke(width > 1 ? fill : casing, width));
  rails();
  if (edge) pass(flags => flags === isBridge, ({ casing }, width) => stroke(casing, width + edge + 0.8, [], 'butt'));
  pass(flags => flags === isBridge, ({ fill }, width) => stroke(fill, width));
}
