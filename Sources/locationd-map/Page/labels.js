// All names on the map: on one canvas over the view, the important ones first; none is cut, none meets another.

import { across, down } from './ground.js';
import * as style from './style.js';
import { written } from './speech.js';

// Pixels that are written beyond the view, so that a small move shows no end.
const margin = 160;
const order = Object.keys(style.names);
const wide = new Set(['motorway', 'trunk', 'primary', 'secondary', 'tertiary']);
const sizes = new Set(['gardens', 'lake']);

// Boxes that are taken, by the cells that they reach into.
export class Taken {
  constructor() {
    this.cells = new Map();
  }

  *keys([west, north, east, south]) {
    for (let x = Math.floor(west / 64); x <= east / 64; x++) {
      for (let y = Math.floor(north / 32); y <= south / 32; y++) yield x * 4096 + y;
    }
  }

  meets(box) {
    for (const key of this.keys(box)) {
      if (this.cells.get(key)?.some(other => other[0] < box[2] && box[0] < other[2] && other[1] < box[3] && box[1] < other[3])) return true;
    }
    return false;
  }

  add(box) {
    for (const key of this.keys(box)) this.cells.has(key) ? this.cells.get(key).push(box) : this.cells.set(key, [box]);
  }
}

// The parts of lines that end where others begin, as one.
function joined(lines) {
  const rest = lines.map(line => Array.from(line));
  const key = (line, at) => `${line.at(at)} ${line.at(at + 1)}`;
  for (let i = 0; i < rest.length; i++) {
    for (let j = i + 1; j < rest.length; j++) {
      const [a, b] = [rest[i], rest[j]];
      if (key(a, -2) === key(b, 0)) rest[i] = a.concat(b.slice(2));
      else if (key(b, -2) === key(a, 0)) rest[i] = b.concat(a.slice(2));
      else continue;
      rest.splice(j, 1);
      j = i;
    }
  }
  return rest;
}

export const Labels = L.Layer.extend({
  // `marks()`: the places that have a marker.
  initialize(ground, marks) {
    Object.assign(this, { ground, marks });
    this.world = [];
    this.widths = new Map();
    this.spots = [];
    this.hidden = [];
    style.dark.addEventListener('change', () => this.later());
  },

  // The world's names, the most important ones first: name, Korean name, place, first zoom, other names.
  setWorld({ countries, towns, lakes = [], airports = [] }) {
    const all = (kind, list) => list.map(([name, korean, latitude, longitude, first, others = []]) => ({
      kind, name, korean, others, x: across(longitude), y: down(latitude), first, isTown: kind === 'town',
    }));
    this.world = [...all('country', countries), ...all('town', towns), ...all('lake', lakes), ...all('airport', airports)];
    this.later();
  },

  // Kinds that an app does not want.
  setHidden(kinds) {
    this.hidden = kinds;
    this.later();
  },

  onAdd(map) {
    const pane = map.getPane('labels') ?? map.createPane('labels');
    pane.style.zIndex = 350;
    pane.style.pointerEvents = 'none';
    this.canvas = L.DomUtil.create('canvas', 'leaflet-zoom-hide', pane);
    map.on('moveend resize viewreset', this.later, this);
    map.on('move', this.moved, this);
    this.later();
  },

  onRemove(map) {
    this.canvas.remove();
    map.off('moveend resize viewreset', this.later, this);
    map.off('move', this.moved, this);
  },

  moved() {
    const [at, was] = [this._map.containerPointToLayerPoint([0, 0]), this.shownAt];
    if (was && Math.max(Math.abs(at.x - was.x), Math.abs(at.y - was.y)) > margin / 2) this.later();
  },

  // Once, however many tiles come.
  later() {
    this.waits ??= requestAnimationFrame(() => {
      this.waits = null;
      if (this._map && this.canvas.isConnected) this.write();
    });
  },

  write() {
    const map = this._map, zoom = map.getZoom(), level = Math.round(zoom);
    const size = map.getSize(), ratio = window.devicePixelRatio || 1;
    const [width, height] = [size.x + 2 * margin, size.y + 2 * margin];
    this.shownAt = map.containerPointToLayerPoint([0, 0]);
    L.DomUtil.setPosition(this.canvas, this.shownAt.subtract([margin, margin]));
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const pen = this.canvas.getContext('2d');
    pen.scale(ratio, ratio);
    Object.assign(pen, { textAlign: 'center', textBaseline: 'middle', lineJoin: 'round', lineWidth: 3 });
    const whole = 256 * 2 ** zoom, corner = map.getPixelOrigin().add(this.shownAt).subtract([margin, margin]);
    // A name in a place of Mercator's square, as pixels of the canvas; the world is there more than once.
    const pixels = (x, y) => {
      const turns = Math.round(((corner.x + width / 2) / whole) - x);
      return [(x + turns) * whole - corner.x, y * whole - corner.y];
    };
    const view = { pen, zoom: level, width, height, pixels, taken: new Taken(), near: new Map() };
    this.spots = [];
    // A name stands beside a marker.
    view.marks = this.marks().map(({ lat, lng }) => pixels(across(lng), down(lat)));
    for (const [x, y] of view.marks) view.taken.add([x - 9, y - 9, x + 9, y + 9]);
    const [west, north] = [corner.x / whole, corner.y / whole];
    const names = this.collect(view, west - Math.floor(west), north, west - Math.floor(west) + width / whole, north + height / whole, whole);
    for (const kind of order) for (const name of names.get(kind) ?? []) this.put(view, name);
  },

  // Names by their kinds.
  collect({ zoom, pixels, width, height }, west, north, east, south, whole) {
    const found = new Map();
    const add = (kind, name) => found.has(kind) ? found.get(kind).push(name) : found.set(kind, [name]);
    for (const name of this.world) {
      if (name.first > zoom || this.hidden.includes(name.kind) || (name.kind === 'country' && zoom > 7)) continue;
      const [x, y] = pixels(name.x, name.y);
      if (x < 0 || y < 0 || x > width || y > height) continue;
      const isLarge = name.isTown && name.first <= zoom - 4;
      add(isLarge ? 'city' : name.kind, { text: written([name.name, '', `ko${name.korean}`, ...name.others]), kind: name.kind, at: [x, y],
        font: name.isTown ? (isLarge ? 'bold 14px' : '600 12px') : null });
    }
    const streets = new Map();
    for (const { level, x, y, features } of this.ground.featuresIn(zoom, west, north, east, south)) {
      const unit = 1 / 2 ** level / 4096;
      for (const feature of features) {
        const { kind, flags, names, rings } = feature;
        const [local, road = ''] = names, name = local && written(names);
        const place = (points, i) => pixels((x * 4096 + points[i]) * unit, (y * 4096 + points[i + 1]) * unit);
        const own = style.names[kind];
        if (own && name && !this.hidden.includes(kind)) {
          // Where it cannot be written yet it may be a dot to tap.
          if (zoom < Math.min(own[0], own[1])) continue;
          if (sizes.has(kind) && 2 ** flags / 2 ** 26 * whole < 60) continue;
          add(kind, { text: name, local, kind, at: place(rings[0].points, 0), isDot: zoom >= own[1], isWritten: zoom >= own[0] });
        } else if (kind in style.roads && (name || road) && zoom > 10) {
          for (const { points } of rings) {
            const line = new Float32Array(points.length);
            for (let i = 0; i < points.length; i += 2) line.set(place(points, i), i);
            const group = wide.has(kind) ? 'main' : 'side';
            if (name && zoom >= style.names[group][0]) {
              const key = `${group}\n${name}`;
              streets.has(key) ? streets.get(key).push(line) : streets.set(key, [line]);
            }
            const i = Math.max(1, line.length >> 2) * 2;
            if (road && wide.has(kind)) add('road', { text: road.split(';')[0], kind: 'road', at: [(line[i - 2] + line[i]) / 2, (line[i - 1] + line[i + 1]) / 2] });
          }
        }
      }
    }
    for (const [key, lines] of streets) {
      const [group, text] = key.split('\n');
      for (const line of lines.length > 1 && lines.length < 60 ? joined(lines) : lines) add(group, { text, kind: group, line });
    }
    return found;
  },

  put(view, name) {
    if (!name.line && name.kind !== 'road') return this.putPoint(view, name);
    const { pen } = view;
    pen.font = `${style.names[name.kind][3]} system-ui, sans-serif`;
    const length = this.width(pen, name.text) + 6;
    if (name.kind === 'road') return this.putRoad(view, name, length);
    const found = straight(name.line, length);
    if (!found || !this.isApart(view, name.text, found.x, found.y, 400)) return;
    const { x, y, turn } = found, boxes = [];
    const steps = Math.max(1, Math.ceil(length / 12));
    for (let i = 0; i <= steps; i++) {
      const away = (i / steps - 0.5) * length;
      boxes.push([x + Math.cos(turn) * away - 8, y + Math.sin(turn) * away - 8, x + Math.cos(turn) * away + 8, y + Math.sin(turn) * away + 8]);
    }
    if (!this.take(view, boxes)) return;
    this.remember(view, name.text, x, y);
    pen.save();
    pen.translate(x, y);
    pen.rotate(Math.abs(turn) > Math.PI / 2 ? turn + Math.PI : turn);
    this.text(pen, name.text, 0, 0, style.ink('street'));
    pen.restore();
  },

  putRoad(view, { text, at: [x, y] }, length) {
    const { pen } = view, half = length / 2 + 1;
    if (text.length > 9 || !this.isApart(view, text, x, y, 300) || !this.take(view, [[x - half - 3, y - 11, x + half + 3, y + 11]])) return;
    this.remember(view, text, x, y);
    pen.fillStyle = style.fill('land');
    pen.strokeStyle = style.ink('quiet');
    pen.lineWidth = 1;
    pen.beginPath();
    pen.roundRect(x - half, y - 8, half * 2, 16, 4);
    pen.fill();
    pen.stroke();
    pen.lineWidth = 3;
    pen.fillStyle = style.ink('street');
    pen.fillText(text, x, y + 0.5);
  },

  putPoint(view, { text, local, kind, at: [x, y], font, isDot, isWritten = true }) {
    const { pen } = view, [, , colour, usual] = style.names[kind];
    if (!this.isApart(view, text, x, y, 120)) return;
    pen.font = `${font ?? usual} system-ui, sans-serif`;
    const high = parseInt(pen.font.match(/(\d+)px/)[1], 10) + 3;
    const rows = isWritten ? this.rows(pen, text) : [];
    if (!rows) return;
    const half = Math.max(0, ...rows.map(row => this.width(pen, row))) / 2;
    let top = isDot ? y + 6 : y - rows.length * high / 2;
    const mark = view.marks.find(([mx, my]) => Math.abs(mx - x) < half + 12 && my > top - 12 && my < top + rows.length * high + 12);
    if (mark) top = mark[1] + 15;
    const isMarked = mark && Math.hypot(mark[0] - x, mark[1] - y) < 17;
    const dot = [x - 7, y - 7, x + 7, y + 7];
    const box = [x - half - 3, top - 3, x + half + 3, top + rows.length * high + 3];
    const isPlaced = rows.length > 0 && this.take(view, isDot && !isMarked ? [dot, box] : [box]);
    if (!isPlaced && (!isDot || isMarked || !this.take(view, [dot]))) return;
    this.remember(view, text, x, y);
    const ink = style.ink(colour);
    if (isDot) {
      pen.beginPath();
      pen.arc(x, y, 4, 0, 2 * Math.PI);
      pen.fillStyle = ink;
      pen.strokeStyle = style.halo();
      pen.stroke();
      pen.fill();
      this.spots.push({ x, y, name: text, local, kind, box: isPlaced ? box : dot });
    }
    if (isPlaced) rows.forEach((row, i) => this.text(pen, row, x, top + (i + 0.5) * high, ink));
  },

  text(pen, text, x, y, ink) {
    pen.strokeStyle = style.halo();
    pen.fillStyle = ink;
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  },

  width(pen, text) {
    const key = `${pen.font}\n${text}`;
    if (this.widths.size > 5000) this.widths.clear();
    if (!this.widths.has(key)) this.widths.set(key, pen.measureText(text).width);
    return this.widths.get(key);
  },

  // A name in at most three rows; null where it needs more.
  rows(pen, text) {
    const rows = [];
    for (const word of text.split(' ')) {
      const longer = rows.length ? `${rows.at(-1)} ${word}` : word;
      if (rows.length && this.width(pen, longer) <= 110) rows[rows.length - 1] = longer;
      else rows.push(word);
    }
    return rows.length > 3 ? null : rows;
  },

  // False beyond the canvas, and where another name is.
  take({ width, height, taken }, boxes) {
    if (boxes.some(([west, north, east, south]) => west < 0 || north < 0 || east > width || south > height)) return false;
    if (boxes.some(box => taken.meets(box))) return false;
    boxes.forEach(box => taken.add(box));
    return true;
  },

  isApart: ({ near }, text, x, y, least) => !near.get(text)?.some(([ox, oy]) => Math.hypot(x - ox, y - oy) < least),

  remember({ near }, text, x, y) {
    near.has(text) ? near.get(text).push([x, y]) : near.set(text, [[x, y]]);
  },

  // The thing at a point of the map's element: its name, the local one, its kind and its place.
  hit(point) {
    if (!this.canvas?.isConnected) return null;
    const at = this._map.containerPointToLayerPoint(point).subtract(this.shownAt).add([margin, margin]);
    const away = ({ x, y }) => Math.hypot(x - at.x, y - at.y);
    const inside = ({ box }) => at.x >= box[0] && at.x <= box[2] && at.y >= box[1] && at.y <= box[3];
    const spot = this.spots.filter(spot => away(spot) < 14 || inside(spot)).sort((a, b) => away(a) - away(b))[0];
    if (!spot) return null;
    const place = this._map.layerPointToLatLng(this.shownAt.add([spot.x - margin, spot.y - margin]));
    return { ...spot, latitude: place.lat, longitude: place.lng };
  },
});

// Where a line is straight for a length, as near to its middle as may be.
function straight(line, length) {
  const away = [0];
  for (let i = 2; i < line.length; i += 2) away.push(away.at(-1) + Math.hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]));
  const all = away.at(-1);
  if (all < length) return null;
  const at = distance => {
    let i = 1;
    while (i < away.length - 1 && away[i] < distance) i++;
    const t = (distance - away[i - 1]) / (away[i] - away[i - 1] || 1);
    return [line[2 * i - 2] + (line[2 * i] - line[2 * i - 2]) * t, line[2 * i - 1] + (line[2 * i + 1] - line[2 * i - 1]) * t];
  };
  for (let step = 0; step * 10 <= (all - length) / 2; step++) {
    for (const start of [(all - length) / 2 - step * 10, (all - length) / 2 + step * 10]) {
      const [ax, ay] = at(start), [bx, by] = at(start + length), [mx, my] = at(start + length / 2);
      const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
      if (Math.hypot(bx - ax, by - ay) < 0.97 * length || Math.hypot(mx - x, my - y) > 4) continue;
      return { x, y, turn: Math.atan2(by - ay, bx - ax) };
    }
  }
  return null;
}
