// The position as it moves, and the tracks.

import { byID, notice, say } from './dom.js';
import { on } from './parent.js';
import { dark, track as trackColour } from './style.js';
import { coordinates, length, sentence, t } from './words.js';

export const state = { position: null, follows: true };

export const place = () => state.position && L.latLng(state.position.latitude, state.position.longitude);

const most = 1000;

// A line of many points: those that are done are drawn once.
class Track {
  constructor(map, options) {
    this.options = { interactive: false, smoothFactor: 1.5, ...options };
    this.lines = L.layerGroup().addTo(map);
    this.clear();
  }

  clear() {
    this.lines.clearLayers();
    Object.assign(this, { points: [], line: null });
  }

  add(points) {
    for (const point of points) {
      this.points.push(point);
      if (this.points.length < most) continue;
      this.draw();
      Object.assign(this, { points: [point], line: null });
    }
    this.draw();
  }

  draw() {
    if (this.line) this.line.setLatLngs(this.points);
    else this.line = L.polyline(this.points, this.options).addTo(this.lines);
  }

  recolour(color) {
    this.options.color = color;
    this.lines.invoke('setStyle', { color });
  }
}

export function begin(map) {
  // Another pane than the tracks': what moves draws nothing else anew.
  map.createPane('self').style.zIndex = 620;
  const renderer = L.svg({ pane: 'self', padding: 1 });
  const style = { renderer, pane: 'self', interactive: false };
  const circle = L.circle([0, 0], { ...style, radius: 1, className: 'accuracy' });
  const dot = L.circleMarker([0, 0], { ...style, radius: 7, className: 'self' });
  const cone = document.createElement('div');
  cone.className = 'cone';
  const arrow = L.marker([0, 0], {
    pane: 'self', interactive: false, keyboard: false,
    icon: L.divIcon({ className: 'heading', iconSize: [0, 0], html: cone }),
  });
  const track = new Track(map, { color: trackColour(), weight: 4, opacity: 0.9 });
  dark.addEventListener('change', () => track.recolour(trackColour()));
  let heading = null, spoken = 0, isFirst = true;

  function turn() {
    const course = state.position?.speed > 1 ? state.position.course : undefined;
    const degrees = heading?.trueHeading ?? heading?.magneticHeading ?? course;
    if (degrees === undefined || !state.position) return arrow.remove();
    cone.style.transform = `rotate(${degrees}deg)`;
    arrow.setLatLng(dot.getLatLng()).addTo(map);
  }

  function show(position) {
    const place = [position.latitude, position.longitude];
    circle.setLatLng(place).setRadius(position.horizontalAccuracy).addTo(map);
    dot.setLatLng(place).addTo(map);
    if (isFirst) {
      isFirst = false;
      if (state.follows) map.setView(place, zoomFor(position.horizontalAccuracy), { animate: false });
    } else if (state.follows) {
      map.panTo(place, { animate: false });
    }
    const parts = [coordinates(...place), t('accuracy', length(position.horizontalAccuracy))];
    if (position.speed > 0.5) parts.push(t('speed', Math.round(position.speed * 3.6)));
    const kind = kinds[(position.source ?? '').split(':')[0]];
    if (kind) parts.push(t(kind));
    if (position.simulated) parts.push(t('simulated'));
    byID('here').textContent = parts.join(' · ');
    // A voice that says each of ten positions a second helps nobody.
    if (Date.now() - spoken > 30_000) {
      spoken = Date.now();
      say(t('moved', parts.slice(0, 2).join(', ')));
    }
  }

  on('position', ([position]) => {
    state.position = position;
    if (position) {
      show(position);
    } else {
      for (const layer of [circle, dot, arrow]) layer.remove();
      byID('here').textContent = '';
    }
    turn();
  });
  on('heading', ([value]) => {
    heading = value;
    turn();
  });
  on('track', points => track.add(points));
  on('obstacle', ([obstacle]) => {
    notice('daemon', obstacle ? sentence(obstacle) : '');
  });
  return { reset: () => track.clear() };
}

// The kind of a place by its source, where that is no receiver.
const kinds = {
  wifi: 'wifiPlace', 'server-wifi': 'serverPlace', 'server-cells': 'cellPlace', set: 'setPlace', last: 'lastPlace',
  zone: 'zonePlace',
};

const zoomFor = accuracy => accuracy > 2000 ? 11 : accuracy > 300 ? 13 : 15;

export function setFollows(follows, map) {
  state.follows = follows;
  byID('follow').setAttribute('aria-pressed', follows);
  if (follows && state.position) map.panTo([state.position.latitude, state.position.longitude]);
}
