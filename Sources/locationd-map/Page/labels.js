// All names on the map: on one canvas over the view, the important ones first; none is cut, none meets another.

import { across, down } from './ground.js';
import * as style from './style.js';
import { own as language, written } from './speech.js';

// Pixels that are written beyond the view, so that a small move shows no end.
const margin = 160;
// Roads whose names and numbers come early.
const wide = ['motorway', 'trunk', 'primary', 'secondary', 'tertiary'];
// Pixels between two of the same name.
const apart = { city: 400, town: 400, main: 400, side: 400, road: 300 };

const append = (lists, key, value) => lists.has(key) ? lists.get(key).push(value) : lists.set(key, [value]);

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// Boxes that are taken, by the cells that they reach into.
export class Taken {
  cells = new Map();

  *keys([west, north, east, south]) {
    for (let x = Math.floor(west / 64); x <= east / 64; x++) {
      for (let y = Math.floor(north / 32); y <= south / 32; y++) yield x * 4096 + y;
    }
  }

  meets(box) {
    return [...this.keys(box)].some(key => this.cells.get(key)?.some(other => overlap(box, other)));
  }

  add(box) {
    for (const key of this.keys(box)) append(this.cells, key, box);
  }
}

export const Labels = L.Layer.extend({
  // `marks()`: the places that have a marker.
  initialize(ground, marks) {
    Object.assign(this, { ground, marks, world: [], spots: [], hidden: [], from: new Set() });
    style.dark.addEventListener('change', () => this.later());
  },

  // The world's names, the most important ones first: name, Korean name, place, first zoom, other names.
  setWorld(names) {
    const { countries: country, towns: town, lakes: lake, airports: airport } = names;
    this.world = Object.entries({ country, town, lake, airport }).flatMap(([kind, list = []]) =>
      list.map(([name, korean, latitude, longitude, first, others = []]) =>
        ({ kind, names: [name, '', `ko${korean}`, ...others], at: [across(longitude), down(latitude)], first })));
    this.later();
  },

  // Kinds that an app does not want.
  setHidden(kinds) {
    this.hidden = kinds;
    this.later();
  },

  onAdd(map) {
    const pane = map.getPane('labels') ?? map.createPane('labels');
    Object.assign(pane.style, { zIndex: 350, pointerEvents: 'none' });
    this.canvas = L.DomUtil.create('canvas', 'leaflet-zoom-hide', pane);
    this.later();
  },

  onRemove() {
    this.canvas.remove();
  },

  getEvents() {
    return { moveend: this.later, resize: this.later, viewreset: this.later, move: this.moved };
  },

  moved() {
    const away = this.foot?.subtract(this._map.containerPointToLayerPoint([-margin, -margin]));
    if (away && Math.max(Math.abs(away.x), Math.abs(away.y)) > margin * 0.75) this.later();
  },

  // Once, however many tiles come.
  later() {
    this.waits ??= requestAnimationFrame(() => {
      this.waits = null;
      if (this._map && this.canvas.isConnected) this.write();
    });
  },

  write() {
    const map = this._map, ratio = window.devicePixelRatio || 1;
    const size = map.getSize().add([2 * margin, 2 * margin]);
    const foot = map.containerPointToLayerPoint([-margin, -margin]), corner = map.getPixelOrigin().add(foot);
    L.DomUtil.setPosition(this.canvas, foot);
    Object.assign(this.canvas, { width: size.x * ratio, height: size.y * ratio });
    Object.assign(this.canvas.style, { width: `${size.x}px`, height: `${size.y}px` });
    const pen = this.canvas.getContext('2d');
    pen.scale(ratio, ratio);
    Object.assign(pen, { textAlign: 'center', textBaseline: 'middle', lineJoin: 'round', lineWidth: 3 });
    const whole = 256 * 2 ** map.getZoom();
    Object.assign(this, { pen, size, whole, foot, corner, taken: new Taken(), near: new Map(), spots: [] });
    // A name stands beside a marker.
    this.marked = this.marks().map(({ lat, lng }) => this.pixels([across(lng), down(lat)]));
    for (const [x, y] of this.marked) this.taken.add([x - 9, y - 9, x + 9, y + 9]);
    const names = this.collect(Math.round(map.getZoom()));
    for (const kind in style.names) {
      this.use(kind);
      for (const name of names.get(kind) ?? []) {
        const [x, y] = this.pixels(name.at);
        if (x > 0 && y > 0 && x < size.x && y < size.y) this[name.put ?? 'putPoint'](name, x, y);
      }
    }
  },

  // From here on names are of this kind.
  use(kind) {
    const [, , ink, ...font] = style.names[kind];
    this.pen.font = `${font.join(' ')} system-ui, sans-serif`;
    Object.assign(this, { kind, ink: style.ink(ink), high: parseInt(font.at(-1), 10) + 3 });
  },

  // A place in Mercator's square, as pixels of the canvas; the world is there more than once.
  pixels([x, y]) {
    const { corner, size, whole } = this, turns = Math.round((corner.x + size.x / 2) / whole - x);
    return [(x + turns) * whole - corner.x, y * whole - corner.y];
  },

  // Names by their kinds, collected anew for other tiles.
  collect(zoom) {
    const { corner, size, whole, world, hidden } = this, north = corner.y / whole, west = corner.x / whole - Math.floor(corner.x / whole);
    const tiles = this.ground.tilesIn(zoom, [west, north, west + size.x / whole, north + size.y / whole]);
    const from = [language, whole, world, hidden, ...tiles.map(({ content }) => content)];
    if (from.every(each => this.from.has(each))) return this.found;
    const found = new Map(), streets = new Map();
    Object.assign(this, { found, from: new Set(from) });
    for (const name of world) {
      const { kind, first } = name;
      if (first > zoom || hidden.includes(kind) || (kind === 'country' && zoom > 7)) continue;
      append(found, kind === 'town' && first <= zoom - 4 ? 'city' : kind, name);
    }
    for (const { level, x, y, content } of tiles) {
      const unit = 1 / 2 ** level / 4096;
      const place = (points, i) => [(x * 4096 + points[i]) * unit, (y * 4096 + points[i + 1]) * unit];
      for (const { kind, flags, names, rings } of [...content.values()].flat()) {
        const [local, road = ''] = names, text = local && written(names), own = style.names[kind];
        if (own && text && !hidden.includes(kind)) {
          // Where it cannot be written yet it may be a dot to tap.
          if (zoom < Math.min(own[0], own[1])) continue;
          // Flags of a park or a lake are the size.
          if (['gardens', 'lake'].includes(kind) && 2 ** (flags - 26) * whole < 60) continue;
          append(found, kind, { text, local, at: place(rings[0].points, 0), isDot: zoom >= own[1], isWritten: zoom >= own[0] });
        } else if (style.isRoad(kind) && (text || road) && zoom > 10) {
          const isWide = wide.includes(kind), group = isWide ? 'main' : 'side';
          for (const { points } of rings) {
            const line = [];
            for (let i = 0; i < points.length; i += 2) line.push(place(points, i));
            if (text && zoom >= style.names[group][0]) append(streets, `${group}\n${text}`, line);
            const i = Math.max(1, line.length >> 1), [[ax, ay], [bx, by]] = [line[i - 1], line[i]];
            if (road && isWide) append(found, 'road', { text: road.split(';')[0], put: 'putRoad', at: [(ax + bx) / 2, (ay + by) / 2] });
          }
        }
      }
    }
    for (const [key, lines] of streets) {
      const [kind, text] = key.split('\n');
      this.use(kind);
      for (const line of lines.length < 60 ? joined(lines) : lines) {
        const spot = straight(line, this.pen.measureText(text).width + 6, whole);
        if (spot) append(found, kind, { text, put: 'putStreet', ...spot });
      }
    }
    return found;
  },

  putStreet({ text, length, turn }, x, y) {
    const { pen } = this, steps = Math.ceil(length / 12);
    const boxes = Array.from({ length: steps + 1 }, (_, i) => {
      const away = (i / steps - 0.5) * length, [ax, ay] = [x + Math.cos(turn) * away, y + Math.sin(turn) * away];
      return [ax - 8, ay - 8, ax + 8, ay + 8];
    });
    if (!this.take(text, x, y, boxes)) return;
    pen.save();
    pen.translate(x, y);
    pen.rotate(Math.abs(turn) > Math.PI / 2 ? turn + Math.PI : turn);
    this.text(text, 0, 0);
    pen.restore();
  },

  putRoad({ text }, x, y) {
    const { pen } = this, half = pen.measureText(text).width / 2 + 4;
    if (text.length > 9 || !this.take(text, x, y, [[x - half - 3, y - 11, x + half + 3, y + 11]])) return;
    pen.beginPath();
    pen.roundRect(x - half, y - 8, half * 2, 16, 4);
    this.fill(style.fill('land'), style.ink('quiet'), 2);
    pen.fillStyle = this.ink;
    pen.fillText(text, x, y + 0.5);
  },

  putPoint({ names, text = written(names), local, isDot, isWritten = true }, x, y) {
    const { pen, kind, ink, high } = this;
    const rows = isWritten ? this.rows(text) : [];
    if (!rows) return;
    const half = Math.max(0, ...rows.map(row => pen.measureText(row).width)) / 2, tall = rows.length * high;
    let top = isDot ? y + 6 : y - tall / 2;
    const mark = this.marked.find(([mx, my]) => Math.abs(mx - x) < half + 12 && my > top - 12 && my < top + tall + 12);
    if (mark) top = mark[1] + 15;
    // A marker is the dot of its place.
    const isMarked = mark && Math.hypot(mark[0] - x, mark[1] - y) < 17;
    const dot = isDot && !isMarked ? [[x - 7, y - 7, x + 7, y + 7]] : [], box = [x - half - 3, top - 3, x + half + 3, top + tall + 3];
    const isPlaced = rows.length && this.take(text, x, y, [...dot, box]);
    if (!isPlaced && !(dot.length && this.take(text, x, y, dot))) return;
    if (isDot) {
      pen.beginPath();
      pen.arc(x, y, 4, 0, 2 * Math.PI);
      this.fill(ink, style.ink('halo'), 3);
      this.spots.push(Object.assign(L.point(x, y), { name: text, local, kind, box: isPlaced ? box : dot[0] }));
    }
    if (isPlaced) rows.forEach((row, i) => this.text(row, x, top + (i + 0.5) * high));
  },

  // Fills the path, with an edge.
  fill(fillStyle, strokeStyle, lineWidth) {
    Object.assign(this.pen, { fillStyle, strokeStyle, lineWidth });
    this.pen.stroke();
    this.pen.fill();
  },

  text(text, x, y) {
    Object.assign(this.pen, { fillStyle: this.ink, strokeStyle: style.ink('halo'), lineWidth: 3 });
    this.pen.strokeText(text, x, y);
    this.pen.fillText(text, x, y);
  },

  // A name in at most three rows; null where it needs more.
  rows(text) {
    const rows = [];
    for (const word of text.split(' ')) {
      const longer = `${rows.at(-1)} ${word}`;
      if (rows.length && this.pen.measureText(longer).width <= 110) rows.splice(-1, 1, longer);
      else rows.push(word);
    }
    return rows.length > 3 ? null : rows;
  },

  // Takes boxes for a name; false beyond the canvas, where another name is, and near the same one.
  take(text, x, y, boxes) {
    const { kind, size, near, taken } = this;
    if (near.get(text)?.some(other => Math.hypot(x - other[0], y - other[1]) < (apart[kind] ?? 120))) return false;
    if (boxes.some(box => box[0] < 0 || box[1] < 0 || box[2] > size.x || box[3] > size.y || taken.meets(box))) return false;
    boxes.forEach(box => taken.add(box));
    append(near, text, [x, y]);
    return true;
  },

  // The thing at a point of the map's element: its name, the local one, its kind and its place.
  hit(point) {
    if (!this.canvas?.isConnected) return null;
    const at = this._map.containerPointToLayerPoint(point).subtract(this.foot);
    const [spot] = this.spots.filter(spot => at.distanceTo(spot) < 14 || overlap(spot.box, [at.x, at.y, at.x, at.y])).sort((a, b) => at.distanceTo(a) - at.distanceTo(b));
    if (!spot) return null;
    const { lat, lng } = this._map.layerPointToLatLng(this.foot.add(spot));
    return { ...spot, latitude: lat, longitude: lng };
  },
});

// The parts of lines that end where others begin, as one.
function joined(lines) {
  const rest = [...lines], meet = ([ax, ay], [bx, by]) => ax === bx && ay === by;
  for (let i = 0; i < rest.length; i++) {
    for (let j = i + 1; j < rest.length; j++) {
      const [a, b] = [rest[i], rest[j]];
      if (meet(a.at(-1), b[0])) rest[i] = a.concat(b.slice(1));
      else if (meet(b.at(-1), a[0])) rest[i] = b.concat(a.slice(1));
      else continue;
      rest.splice(j, 1);
      j = i;
    }
  }
  return rest;
}

// Where a line is straight for so many pixels, as near its middle as may be.
function straight(line, length, whole) {
  const between = ([ax, ay], [bx, by]) => Math.hypot(bx - ax, by - ay) * whole;
  const away = [0];
  for (let i = 1; i < line.length; i++) away.push(away[i - 1] + between(line[i - 1], line[i]));
  const spare = away.at(-1) - length;
  const at = distance => {
    const i = away.findIndex((each, i) => i && (each >= distance || i === away.length - 1)), [[ax, ay], [bx, by]] = [line[i - 1], line[i]];
    const t = (distance - away[i - 1]) / (away[i] - away[i - 1] || 1);
    return [ax + (bx - ax) * t, ay + (by - ay) * t];
  };
  for (let step = 0; step * 10 <= spare / 2; step++) {
    for (const start of [spare / 2 - step * 10, spare / 2 + step * 10]) {
      const [a, b] = [at(start), at(start + length)], [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      if (between(a, b) < 0.97 * length || between(at(start + length / 2), [x, y]) > 4) continue;
      return { at: [x, y], length, turn: Math.atan2(b[1] - a[1], b[0] - a[0]) };
    }
  }
  return null;
}
