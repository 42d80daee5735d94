// The ground: the world's, from this disk, and on it that of extracts, from the service of places: tiles of features,
// drawn into tiles.

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
  return 0.5 - Math.atanh(sine) / (2 * Math.PI);
}

const ring = points => {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  points.forEach((value, i) => {
    const axis = i % 2;
    if (value < box[axis]) box[axis] = value;
    if (value > box[axis + 2]) box[axis + 2] = value;
  });
  return { points, box };
};

// The features of a tile: each has a kind, flags, names, a length and as many bytes of rings, whose numbers have seven
// bits a byte, the lowest first. Names are the local one, a road's number, and others behind their languages.
const unnamed = [''];
function read(bytes) {
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
    const at = [0, 0];
    while (place < end) rings.push(ring(new Int16Array(step() * 2).map((_, i) => at[i % 2] += step())));
    features.push({ kind, flags, names, rings });
  }
  return features;
}

// Tiles that are asked for, a few at a time: the newest first, and none that nobody waits for any more.
export class Source {
  constructor(fetch, most) {
    Object.assign(this, { fetch, most, tiles: new Map(), waiting: [], running: 0 });
  }

  get(level, x, y, user) {
    const key = `${level}/${x}/${y}`;
    let tile = this.tiles.get(key);
    if (!tile) {
      tile = { level, x, y, key, users: [], content: null };
      tile.done = new Promise((resolve, reject) => Object.assign(tile, { resolve, reject }));
      this.waiting.push(tile);
    }
    if (!tile.content) tile.users.push(user);
    // The last that is used is the last to be forgotten.
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    const [oldest] = this.tiles.values();
    if (this.tiles.size > this.most && oldest.content) this.tiles.delete(oldest.key);
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
      this.fetch(tile).then(content => {
        Object.assign(tile, { content, users: [] });
        tile.resolve(content);
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

const byKind = features => Map.groupBy(features, ({ kind }) => kind);

async function fetchWorld({ key }) {
  const answer = await fetch(`ground/${key}`);
  if (!answer.ok) throw new Error(answer.status);
  return byKind(read(new Uint8Array(await answer.arrayBuffer())));
}

async function fetchGround({ level, x, y }) {
  const { ground } = await ask('tile', { level, x, y });
  return read(Uint8Array.from(atob(ground), letter => letter.charCodeAt(0)));
}

// The streets of a tile, as features of a ground.
async function fetchStreets({ x, y }) {
  const count = 2 ** 14, latitude = y => Math.atan(Math.sinh(Math.PI * (1 - 2 * y / count))) * 180 / Math.PI;
  const { streets } = await ask('streets', { south: latitude(y + 1), north: latitude(y), west: x / count * 360 - 180, east: (x + 1) / count * 360 - 180 });
  return streets.map(({ name, path, polyline }) => ({
    kind: path ? 'path' : 'minor', flags: 0, names: [name ?? ''],
    rings: [ring(polyline.flatMap(([latitude, longitude]) => [(across(longitude) * count - x) * side, (down(latitude) * count - y) * side]))],
  }));
}

// Corners as boxes of Mercator's square.
const boxes = sets => sets.map(({ coverage: [low, high] }) => [across(low[1]), down(high[0]), across(high[1]), down(low[0])]);

// A tile lies in one of the boxes, or just beyond: it may still be known to be sea.
function isIn(boxes, x, y, level) {
  const size = 2 ** -level, more = 2 ** -14;
  return boxes.some(([west, north, east, south]) => x * size <= east + more && (x + 1) * size >= west - more
    && y * size <= south + more && (y + 1) * size >= north - more);
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

  // The extracts that have a ground, and those with streets alone.
  setCovered(covered, bare) {
    [this.covered, this.bare] = [boxes(covered), boxes(bare)];
    this.extracts.clear();
    this.redraw();
  },

  async fetchExtract(tile) {
    const { level, x, y } = tile;
    const parts = [isIn(this.covered, x, y, level) ? fetchGround(tile) : [], level === 14 && isIn(this.bare, x, y, level) ? fetchStreets(tile) : []];
    return byKind((await Promise.all(parts)).flat());
  },

  // The tiles of a level around a tile of the map, or within it: their features, and where they lie in it.
  load(source, at, level, tile) {
    const near = 2 ** Math.max(0, level - at.z), far = 2 ** Math.max(0, at.z - level);
    const size = 256 * far / near;
    return Promise.all(Array.from({ length: near * near }, async (_, k) => {
      const i = k % near, j = Math.floor(k / near);
      const part = { scale: size / side, left: i * size - (at.x % far) * 256, top: j * size - (at.y % far) * 256 };
      const features = source.get(level, Math.floor(at.x / far) * near + i, Math.floor(at.y / far) * near + j, tile);
      return { ...part, features: await features.catch(() => new Map()) };
    }));
  },

  createTile(at, done) {
    const tile = document.createElement('canvas'), ratio = window.devicePixelRatio || 1;
    // Two points lie over the next tile: no seam.
    tile.width = tile.height = 258 * ratio;
    tile.isWanted = true;
    const level = extractLevel(at.z), hasExtract = level && isIn([...this.covered, ...this.bare], at.x, at.y, at.z);
    Promise.all([
      this.hasWorld ? this.load(this.world, at, worldLevel(at.z), tile) : [], hasExtract ? this.load(this.extracts, at, level, tile) : [],
    ]).then(([world, extract]) => {
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
      // A tile that fails keeps no other from being drawn.
      if (this.drawing.length) requestAnimationFrame(() => this.drawSome());
    }
  },

  // The tiles of extracts that are there in a box of Mercator's square.
  tilesIn(zoom, [west, north, east, south]) {
    return [...this.extracts.tiles.values()].filter(({ level, x, y, content }) =>
      content && level === extractLevel(zoom) && isIn([[west, north, east, south], [west - 1, north, east - 1, south]], x, y, level));
  },
});
