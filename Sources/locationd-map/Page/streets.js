// The streets of extracts that have no ground, drawn into tiles.

import { across, down } from './ground.js';
import { ask } from './parent.js';
import * as style from './style.js';

// The tiles of this zoom are asked for; nearer ones are drawn of the same answer.
const zoom = 14;
const most = 60;

const latitude = y => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;

export const Streets = L.GridLayer.extend({
  initialize(covered) {
    L.GridLayer.prototype.initialize.call(this, { minZoom: zoom - 1, updateWhenZooming: false, keepBuffer: 1 });
    this.covered = covered;
    this.answers = new Map();
    this.turn = () => this.redraw();
  },

  onAdd(map) {
    style.dark.addEventListener('change', this.turn);
    return L.GridLayer.prototype.onAdd.call(this, map);
  },

  onRemove(map) {
    style.dark.removeEventListener('change', this.turn);
    return L.GridLayer.prototype.onRemove.call(this, map);
  },

  isCovered(box) {
    return this.covered.some(([low, high]) =>
      box.south <= high[0] && box.north >= low[0] && box.west <= high[1] && box.east >= low[1]);
  },

  // The lines in a tile of the zoom that is asked for.
  lines(x, y) {
    const key = `${x} ${y}`;
    if (!this.answers.has(key)) {
      const count = 2 ** zoom;
      const box = { south: latitude((y + 1) / count), north: latitude(y / count), west: x / count * 360 - 180, east: (x + 1) / count * 360 - 180 };
      const answer = !this.isCovered(box) ? Promise.resolve([]) : ask('streets', box).then(({ streets }) => streets.map(({ name, path, polyline }) =>
        ({ name, path, points: polyline.map(([latitude, longitude]) => [across(longitude), down(latitude)]) })));
      // The next tile asks again.
      answer.catch(() => this.answers.delete(key));
      this.answers.set(key, answer);
      if (this.answers.size > most) this.answers.delete(this.answers.keys().next().value);
    }
    return this.answers.get(key);
  },

  createTile(at, done) {
    const tile = document.createElement('canvas');
    const ratio = window.devicePixelRatio || 1;
    tile.width = tile.height = 256 * ratio;
    const near = 2 ** Math.max(0, zoom - at.z), far = 2 ** Math.max(0, at.z - zoom);
    const asked = [];
    for (let i = 0; i < near; i++) {
      for (let j = 0; j < near; j++) asked.push(this.lines(Math.floor(at.x * near / far) + i, Math.floor(at.y * near / far) + j));
    }
    Promise.all(asked).then(answers => {
      const pen = tile.getContext('2d');
      pen.scale(ratio, ratio);
      this.draw(pen, at, answers.flat());
      done(null, tile);
    }, error => done(error, tile));
    return tile;
  },

  draw(pen, at, lines) {
    const [street, path] = [style.road('minor'), style.line('path')];
    const size = 256 * 2 ** at.z;
    const place = ([x, y]) => [x * size - at.x * 256, y * size - at.y * 256];
    const trace = line => {
      pen.beginPath();
      line.points.forEach((point, i) => i ? pen.lineTo(...place(point)) : pen.moveTo(...place(point)));
      pen.stroke();
    };
    pen.lineCap = pen.lineJoin = 'round';
    const width = Math.max(1.5, 2 ** (at.z - 14));
    for (const [isCase, isPath] of [[true, false], [false, true], [false, false]]) {
      pen.strokeStyle = isCase ? street.casing : isPath ? path : street.fill;
      pen.lineWidth = isCase ? width + 1.5 : isPath ? Math.min(width, 2) : width;
      lines.filter(line => Boolean(line.path) === isPath).forEach(trace);
    }
    if (at.z > 15) this.write(pen, lines, place);
  },

  // Along the longest part of a street, where there is room.
  write(pen, lines, place) {
    pen.font = '11px sans-serif';
    Object.assign(pen, { textAlign: 'center', textBaseline: 'middle', lineWidth: 3, strokeStyle: style.halo(), fillStyle: style.ink('street') });
    for (const { name, points } of lines) {
      let best = null;
      for (let i = 1; i < points.length; i++) {
        const [ax, ay] = place(points[i - 1]), [bx, by] = place(points[i]);
        const length = Math.hypot(bx - ax, by - ay);
        if (length > (best?.length ?? 0)) best = { length, x: (ax + bx) / 2, y: (ay + by) / 2, turn: Math.atan2(by - ay, bx - ax) };
      }
      if (!best || best.x < -200 || best.x > 456 || best.y < -200 || best.y > 456) continue;
      if (pen.measureText(name).width > best.length * 1.4) continue;
      pen.save();
      pen.translate(best.x, best.y);
      pen.rotate(Math.abs(best.turn) > Math.PI / 2 ? best.turn + Math.PI : best.turn);
      pen.strokeText(name, 0, 0);
      pen.fillText(name, 0, 0);
      pen.restore();
    }
  },
});
