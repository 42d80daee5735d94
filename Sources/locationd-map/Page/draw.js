// Draws the features of a tile: the world's below, those of extracts on it.

import * as style from './style.js';

const [isBridge, isTunnel, isLink] = [1, 2, 4];

// A part of the tile is features by their kinds, and how their units lie on it.
export function draw(pen, zoom, world, extract) {
  // Features of a kind as one path; false where none is near.
  const trace = (kind, parts = extract, isWanted = () => true) => {
    let isEmpty = true;
    pen.beginPath();
    for (const { features, scale, left, top } of parts) {
      const [west, north] = [(-40 - left) / scale, (-40 - top) / scale];
      const [east, south] = [west + 336 / scale, north + 336 / scale];
      const beyond = (x, y) => (x < west) | (x > east) << 1 | (y < north) << 2 | (y > south) << 3;
      for (const { flags, rings } of features.get(kind) ?? []) {
        if (!isWanted(flags)) continue;
        for (const { points, box } of rings) {
          if (box[2] < west || box[0] > east || box[3] < north || box[1] > south) continue;
          isEmpty = false;
          let last = 0, here = 0;
          for (let i = 0; i < points.length; i += 2) {
            const next = i + 2 < points.length ? beyond(points[i + 2], points[i + 3]) : 0;
            // Where its neighbours lie beyond the same side, a point makes no difference.
            if (!(last & here & next)) {
              pen[i ? 'lineTo' : 'moveTo'](points[i] * scale + left, points[i + 1] * scale + top);
              last = here;
            }
            here = next;
          }
          if (kind in style.areas) pen.closePath();
        }
      }
    }
    return !isEmpty;
  };
  const stroke = (colour, width, dash = [], cap = dash.length ? 'butt' : 'round') => {
    Object.assign(pen, { strokeStyle: colour, lineWidth: width, lineCap: cap });
    pen.setLineDash(dash);
    pen.stroke();
  };
  const paint = (kind, parts = extract) => {
    if (zoom < style.areas[kind][0] || !trace(kind, parts)) return;
    pen.fillStyle = style.fill(kind);
    pen.fill();
    if (kind === 'water' || parts === world) stroke(style.line('shore'), 1);
    if (kind === 'building' && zoom > 14) stroke(style.ink('outline'), 0.7);
  };
  const line = (kind, parts = extract) => {
    if (zoom >= style.lines[kind][0] && trace(kind, parts)) stroke(style.line(kind), Math.max(0.7, style.width(kind, zoom)), style.lines[kind].slice(7));
  };

  pen.lineJoin = 'round';
  pen.fillStyle = style.fill('cover');
  pen.fillRect(0, 0, 258, 258);
  paint('land', world);
  // Where the extract has lakes of its own the world's, which are coarser, would lie beside them.
  if (!extract.some(({ features }) => features.has('water'))) paint('water', world);
  for (const kind in style.areas) {
    // Between the areas of the ground and what is built on it.
    if (kind === 'pier') for (const edge of ['shore', 'stream', 'river']) line(edge);
    paint(kind);
  }
  // Near by they are too coarse to lie among streets.
  if (zoom < 11 || !extract.some(({ features }) => features.size)) for (const kind of ['province', 'border']) line(kind, world);
  for (const kind of ['path', 'steps', 'cycleway', 'track']) line(kind);

  // Roads: a pass draws those of one flag, the lesser first.
  const pass = (flag, body) => {
    for (const kind in style.lines) {
      if (!style.isRoad(kind) || zoom < style.lines[kind][0]) continue;
      for (const link of [isLink, 0]) {
        if (trace(kind, extract, flags => (flags & isLink) === link && (flag === isTunnel ? flags & isTunnel : (flags & 3) === flag))) {
          body(kind, style.width(kind, zoom) * (link ? 0.7 : 1));
        }
      }
    }
  };
  const edge = zoom > 15 ? 2 : zoom > 12 ? 1.4 : zoom > 10 ? 1 : 0;
  pen.globalAlpha = 0.4;
  pass(isTunnel, (kind, width) => stroke(style.line(kind), width));
  pen.globalAlpha = 1;
  pass(isTunnel, (kind, width) => width > 2 && stroke(style.casing(kind), 0.7, [4, 3]));
  if (edge) pass(0, (kind, width) => width > 1 && stroke(style.casing(kind), width + edge));
  pass(0, (kind, width) => stroke(width > 1 ? style.line(kind) : style.casing(kind), width));
  line('rail');
  if (zoom > 12 && trace('rail')) stroke(style.fill('land'), style.width('rail', zoom) * 0.5, [7, 7]);
  if (edge) pass(isBridge, (kind, width) => stroke(style.casing(kind), width + edge + 0.8, [], 'butt'));
  pass(isBridge, (kind, width) => stroke(style.line(kind), width));
}
