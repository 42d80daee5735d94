// The ground: the world's of this disk, and on it that of imported extracts, which the service of places knows. Both
// come as tiles of features and are drawn into tiles.

import { draw } from './draw.js';
import { ask } from './parent.js';
import { dark, kinds } from './style.js';

const side = 4096;
const extractLevel = zoom => (zoom > 12 ? 14 : zoom > 10 ? 12 : zoom > 7 ? 9 : null);
const worldLevel = zoom => (zoom > 6 ? 7 : zoom > 3 ? 3 : 0);

// Mercator's square, 0 to 1.
export const across = longitude => longitude / 360 + 0.5;
export function down(latitude) {
  const sine = Math.sin(Math.max(-85.06, Math.min(85.06, latitude)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

// The features of a tile: each has a kind, flags, names, a length and as many bytes of rings, whose numbers have seven
// bits a byte, the lowest first. Names are the local one, a road's number, and others behind their languages.
const unnamed = [''];
export function read(bytes) {
  let place = 0;
  const next = () => {
    let value = 0, factor = 1, byte;
    do {
      byte = bytes[place++];
      value += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte >= 0x80);
    return value;
  };
  // With a sign in the lowest bit.
  const step = () => {
    const value = next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  const letters = new TextDecoder();
  const features = [];
  while (place < bytes.length) {
    const [kind, flags] = [kinds[bytes[place++]], bytes[place++]];
    const length = next();
    const names = length ? letters.decode(bytes.subarray(place, place += length)).split('\t') : unnamed;
    const end = next() + place, rings = [];
    let x = 0, y = 0;
    while (place < end) {
      const points = new Int16Array(step() * 2);
      let [west, north, east, south] = [side * 2, side * 2, -side, -side];
      for (let i = 0; i < points.length; i += 2) {
        points[i] = x += step();
        points[i + 1] = y += step();
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < north) north = y;
        if (y > south) south = y;
      }
      rings.push({ points, west, north, east, south });
    }
    features.push({ kind, flags, names, rings });
  }
  return features;
}

// Tiles of features that are asked for, a few at a time: the newest first, and none that nobody waits for any more.
export class Source {
  constructor(fetch, most) {
    Object.assign(this, { fetch, most, tiles: new Map(), waiting: [], running: 0 });
  }

  get(level, x, y, user) {
    const key = `${level}/${x}/${y}`;
    let tile = this.tiles.get(key);
    if (!tile) {
      tile = { level, x, y, key, users: [], features: null };
      tile.done = new Promise((resolve, reject) => Object.assign(tile, { resolve, reject }));
      this.waiting.push(tile);
    }
    if (!tile.features) tile.users.push(user);
    // The last that is used is the last to be forgotten.
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    if (this.tiles.size > this.most) {
      const oldest = this.tiles.values().next().value;
      if (oldest.features) this.tiles.delete(oldest.key);
    }
    queueMicrotask(() => this.turn());
    return tile.done;
  }

  turn() {
    while (this.running < 4 && this.waiting.length) {
      const tile = this.waiting.pop();
      if (!tile.users.some(user => user.isWanted)) {
        this.drop(tile);
        continue;
      }
      this.running++;
      this.fetch(tile).then(features => {
        tile.features = features;
        tile.users = [];
        tile.resolve(tile);
      }).catch(() => this.drop(tile)).finally(() => {
        this.running--;
        this.turn();
      });
    }
  }

  drop(tile) {
    this.tiles.delete(tile.key);
    tile.reject();
  }

  clear() {
    this.waiting.splice(0).forEach(tile => this.drop(tile));
    this.tiles.clear();
  }
}

async function fetchWorld({ key }) {
  const answer = await fetch(`ground/${key}`);
  if (!answer.ok) throw new Error(answer.status);
  return read(new Uint8Array(await answer.arrayBuffer()));
}

async function fetchGround({ level, x, y }) {
  const { ground } = await ask('tile', { level, x, y });
  return read(Uint8Array.from(atob(ground), letter => letter.charCodeAt(0)));
}

// The streets of a tile, as features of a ground.
async function fetchStreets({ level, x, y }) {
  const count = 2 ** level, latitude = y => Math.atan(Math.sinh(Math.PI * (1 - 2 * y / count))) * 180 / Math.PI;
  const { streets } = await ask('streets', { south: latitude(y + 1), north: latitude(y), west: x / count * 360 - 180, east: (x + 1) / count * 360 - 180 });
  return streets.map(({ name, path, polyline }) => {
    const points = polyline.flatMap(([latitude, longitude]) => [(across(longitude) * count - x) * side, (down(latitude) * count - y) * side]);
    const [even, odd] = [0, 1].map(part => points.filter((_, i) => i % 2 === part));
    const box = { west: Math.min(...even), east: Math.max(...even), north: Math.min(...odd), south: Math.max(...odd) };
    return { kind: path ? 'path' : 'minor', flags: 0, names: [name ?? ''], rings: [{ points, ...box }] };
  });
}

// The corners of extracts, as boxes of Mercator's square.
const boxes = covered => covered.map(([low, high]) => [across(low[1]), down(high[0]), across(high[1]), down(low[0])]);

function isIn(boxes, west, north, east, south) {
  // A tile beyond may still be known to be sea.
  const more = 2 ** -14;
  return boxes.some(box => west <= box[2] + more && east >= box[0] - more && north <= box[3] + more && south >= box[1] - more);
}

export const Ground = L.GridLayer.extend({
  initialize(changed) {
    L.GridLayer.prototype.initialize.call(this, { updateWhenZooming: false, keepBuffer: 1 });
    Object.assign(this, {
      changed, covered: [], bare: [], world: new Source(fetchWorld, 30), extracts: new Source(tile => this.fetchExtract(tile), 60), drawing: [],
    });
    dark.addEventListener('change', () => this.redraw());
    this.on('tileunload', ({ tile }) => { tile.isWanted = false; });
  },

  // Rejects where this disk has no world.
  async findWorld() {
    await fetchWorld({ key: '0/0/0' });
    this.hasWorld = true;
    this.redraw();
  },

  // The corners of the extracts that have a ground, and of those that have streets alone.
  setCovered(covered, bare) {
    [this.covered, this.bare] = [boxes(covered), boxes(bare)];
    this.extracts.clear();
    this.redraw();
  },

  async fetchExtract(tile) {
    const count = 2 ** tile.level, box = [tile.x / count, tile.y / count, (tile.x + 1) / count, (tile.y + 1) / count];
    const parts = [isIn(this.covered, ...box) ? fetchGround(tile) : [], tile.level === 14 && isIn(this.bare, ...box) ? fetchStreets(tile) : []];
    return (await Promise.all(parts)).flat();
  },

  // The tiles of a level that a tile of the map lies in, or that lie in it: where their units lie in it.
  parts(at, level) {
    const near = 2 ** Math.max(0, level - at.z), far = 2 ** Math.max(0, at.z - level);
    const size = 256 * far / near, scale = size / side;
    const parts = [];
    for (let i = 0; i < near; i++) {
      for (let j = 0; j < near; j++) {
        const [x, y] = [Math.floor(at.x / far) * near + i, Math.floor(at.y / far) * near + j];
        parts.push({ level, x, y, scale, left: i * size - (at.x % far) * 256, top: j * size - (at.y % far) * 256 });
      }
    }
    return parts;
  },

  createTile(at, done) {
    const tile = document.createElement('canvas');
    const ratio = window.devicePixelRatio || 1;
    tile.width = tile.height = 256 * ratio;
    tile.isWanted = true;
    const count = 2 ** at.z, level = extractLevel(at.z);
    const hasExtract = level && isIn([...this.covered, ...this.bare], at.x / count, at.y / count, (at.x + 1) / count, (at.y + 1) / count);
    const load = (source, parts) => Promise.all(parts.map(part => source.get(part.level, part.x, part.y, tile)
      .then(({ features }) => ({ ...part, features }), () => ({ ...part, features: [] }))));
    const wanted = [this.hasWorld ? load(this.world, this.parts(at, worldLevel(at.z))) : [], hasExtract ? load(this.extracts, this.parts(at, level)) : []];
    Promise.all(wanted).then(([world, extract]) => {
      this.drawing.push(() => {
        if (!tile.isWanted) return;
        const pen = tile.getContext('2d');
        pen.scale(ratio, ratio);
        draw(pen, at.z, world, extract);
        done(null, tile);
        this.changed();
      });
      if (this.drawing.length === 1) requestAnimationFrame(() => this.drawSome());
    });
    return tile;
  },

  // As many tiles as a frame has time for.
  drawSome() {
    const begun = performance.now();
    try {
      while (this.drawing.length && performance.now() - begun < 6) this.drawing.shift()();
    } finally {
      // A tile that cannot be drawn keeps no other from it.
      if (this.drawing.length) requestAnimationFrame(() => this.drawSome());
    }
  },

  // The features of extracts that are there in a box, by their tiles.
  *featuresIn(zoom, west, north, east, south) {
    const level = extractLevel(zoom);
    if (!level) return;
    const count = 2 ** level;
    for (const tile of this.extracts.tiles.values()) {
      if (tile.level !== level || !tile.features) continue;
      if (tile.x / count > east || (tile.x + 1) / count < west || tile.y / count > south || (tile.y + 1) / count < north) continue;
      yield tile;
    }
  },
});
