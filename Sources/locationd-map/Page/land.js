// The base map of this disk: land, borders and names, drawn into tiles.

import { isKorean } from './words.js';

export const colours = {
  light: { street: '#ffffff', path: '#d9cdb8', land: '#f3f0e6', water: '#b9d6e2', shore: '#8fa3ad', border: '#c9b8a6', text: '#3c3a34', halo: '#f3f0e6' },
  dark: { street: '#4a5058', path: '#3c4046', land: '#2a2d31', water: '#15191d', shore: '#56636c', border: '#464a50', text: '#c8c6bf', halo: '#1e2124' },
};
export const dark = matchMedia('(prefers-color-scheme: dark)');

// For words with a halo around their middle.
export function prepare(pen, colour) {
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineJoin = 'round';
  pen.lineWidth = 3;
  pen.strokeStyle = colour.halo;
  pen.fillStyle = colour.text;
}

// Numbers of seven bits a byte, the lowest first.
class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  next() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.bytes[this.place++];
      value += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte >= 0x80);
    return value;
  }

  // With a sign in the lowest bit.
  step() {
    const value = this.next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

// Mercator's square, 0 to 1.
export const across = longitude => longitude / 360 + 0.5;
export function down(latitude) {
  const sine = Math.sin(Math.max(-85.06, Math.min(85.06, latitude)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

// The shapes of the file, at several scales; each is read when it is first drawn.
class Land {
  constructor(bytes) {
    this.bytes = bytes;
    this.scales = [];
    const numbers = new Numbers(bytes);
    numbers.place = 4;
    while (numbers.place < bytes.length) {
      this.scales.push(Array.from({ length: numbers.next() }, () => {
        const end = numbers.next() + numbers.place;
        const [box] = this.rings(numbers.place, end, 1);
        const shape = { ...box, place: numbers.place, end, rings: null };
        numbers.place = end;
        return shape;
      }));
    }
  }

  // The shapes of a scale that may reach into a box.
  *within(scale, west, north, east, south) {
    for (const shape of this.scales[scale]) {
      if (shape.east < west || shape.west > east || shape.south < north || shape.north > south) continue;
      // Its box comes first.
      shape.rings ??= this.rings(shape.place, shape.end).slice(1);
      yield shape.rings;
    }
  }

  rings(place, end, most = Infinity) {
    const numbers = new Numbers(this.bytes);
    numbers.place = place;
    const rings = [];
    let x = 0, y = 0;
    while (numbers.place < end && rings.length < most) {
      const points = new Float64Array(numbers.step() * 2);
      let [west, north, east, south] = [2, 2, -2, -2];
      if (rings.length === 1) [x, y] = [0, 0];
      for (let i = 0; i < points.length; i += 2) {
        x += numbers.step();
        y += numbers.step();
        const px = points[i] = across(x / 1e5), py = points[i + 1] = down(y / 1e5);
        if (px < west) west = px;
        if (px > east) east = px;
        if (py < north) north = py;
        if (py > south) south = py;
      }
      rings.push({ points, west, north, east, south });
    }
    return rings;
  }
}

// What of a ring lies within a box; each side cuts it once.
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

// Names that do not lie on each other, by the tiles that they reach into; one set for each zoom.
class Names {
  constructor(list) {
    this.list = list;
    this.zooms = new Map();
  }

  forget() {
    this.zooms.clear();
  }

  at(zoom) {
    if (!this.zooms.has(zoom)) this.zooms.set(zoom, this.arrange(zoom));
    return this.zooms.get(zoom);
  }

  arrange(zoom) {
    const size = 256 * 2 ** zoom;
    const taken = new Map(), tiles = new Map();
    // The names of countries make room for those of towns.
    const groups = zoom < 8 ? [this.list.countries, this.list.towns] : [this.list.towns];
    for (const group of groups) {
      const isTowns = group === this.list.towns;
      for (const [name, korean, latitude, longitude, first] of group) {
        if (first > zoom) continue;
        const text = isKorean() && korean ? korean : name;
        const isLarge = !isTowns || first <= zoom - 4;
        const half = width(text) * (isLarge ? 13 : 11) / 2 + 5;
        const x = across(longitude) * size, y = down(latitude) * size;
        const box = [x - half, y - 11, x + half, y + 11];
        const isCovered = cells(box, 64, 22).some(key => taken.get(key)?.some(other =>
          other[0] < box[2] && box[0] < other[2] && other[1] < box[3] && box[1] < other[3]));
        if (isCovered) continue;
        box.push(text, `${isTowns ? 400 : 600} ${isLarge ? 13 : 11}px sans-serif`, x, y);
        for (const [map, keys] of [[taken, cells(box, 64, 22)], [tiles, cells(box, 256, 256)]]) {
          for (const key of keys) map.has(key) ? map.get(key).push(box) : map.set(key, [box]);
        }
      }
    }
    return tiles;
  }
}

// The numbers of the cells that a box reaches into; and the number of one.
const number = (x, y) => (x + 1) * 2 ** 26 + y + 1;
function cells([west, north, east, south], across, down) {
  const keys = [];
  for (let x = Math.floor(west / across); x <= east / across; x++) {
    for (let y = Math.floor(north / down); y <= south / down; y++) keys.push(number(x, y));
  }
  return keys;
}

// About how wide a text is, in widths of its height: to measure each one takes a second.
const width = text => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : 0.58), 0);

export async function load() {
  const [land, names] = await Promise.all(['land.bin', 'names.json'].map(name => fetch(name)));
  if (!land.ok) return null;
  const list = names.ok ? await names.json() : { countries: [], towns: [] };
  return new LandLayer(new Land(new Uint8Array(await land.arrayBuffer())), new Names(list));
}

const LandLayer = L.GridLayer.extend({
  initialize(land, names) {
    L.GridLayer.prototype.initialize.call(this, { updateWhenZooming: false, keepBuffer: 1 });
    this.land = land;
    this.names = names;
    dark.addEventListener('change', () => this.redraw());
  },

  createTile(at) {
    const tile = document.createElement('canvas');
    const ratio = window.devicePixelRatio || 1;
    tile.width = tile.height = 256 * ratio;
    const pen = tile.getContext('2d');
    pen.scale(ratio, ratio);
    const colour = dark.matches ? colours.dark : colours.light;
    this.draw(pen, at, at.z < 4 ? 0 : at.z < 8 ? 1 : 2, colour.land, colour.shore);
    if (at.z > 4) this.draw(pen, at, at.z < 8 ? 3 : 4, null, colour.border);
    if (at.z > 3) this.draw(pen, at, 5, colour.water, colour.shore);
    this.write(pen, at, colour);
    return tile;
  },

  draw(pen, at, scale, fill, stroke) {
    const size = 256 * 2 ** at.z;
    const wrap = Math.floor(at.x / 2 ** at.z);
    const left = (at.x / 2 ** at.z - wrap) * size, top = at.y * 256;
    const margin = 8 / size;
    const [west, north] = [left / size - margin, top / size - margin];
    const [east, south] = [(left + 256) / size + margin, (top + 256) / size + margin];
    pen.beginPath();
    for (const rings of this.land.within(scale, west, north, east, south)) {
      for (const ring of rings) {
        if (ring.east < west || ring.west > east || ring.south < north || ring.north > south) continue;
        const isInside = ring.west >= west && ring.east <= east && ring.north >= north && ring.south <= south;
        const points = isInside ? ring.points : clip(ring.points, west, north, east, south);
        for (let i = 0; i < points.length; i += 2) {
          const x = points[i] * size - left, y = points[i + 1] * size - top;
          if (i) pen.lineTo(x, y);
          else pen.moveTo(x, y);
        }
        pen.closePath();
      }
    }
    if (fill) {
      pen.fillStyle = fill;
      pen.fill('evenodd');
    }
    pen.strokeStyle = stroke;
    pen.lineWidth = fill ? 1 : 0.7;
    pen.setLineDash(fill ? [] : [4, 3]);
    pen.stroke();
    pen.setLineDash([]);
  },

  write(pen, at, colour) {
    const count = 2 ** at.z;
    const x = ((at.x % count) + count) % count;
    prepare(pen, colour);
    for (const label of this.names.at(at.z).get(number(x, at.y)) ?? []) {
      const [text, font, px, py] = label.slice(4);
      pen.font = font;
      pen.strokeText(text, px - x * 256, py - at.y * 256);
      pen.fillText(text, px - x * 256, py - at.y * 256);
    }
  },

  rename() {
    this.names.forget();
    this.redraw();
  },
});
