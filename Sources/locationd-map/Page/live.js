// The position as it moves, and the tracks.

import { byID, element, notice, say } from './dom.js';
import { on } from './parent.js';
import { beside, inked, map, whole } from './view.js';
import { coordinates, length, list, sentence, t } from './words.js';

export const state = { position: null, follows: true };

export const place = () => state.position && L.latLng(state.position.latitude, state.position.longitude);

// Points of one line: those that are done are drawn once.
const most = 1000;

const style = { renderer: L.svg({ pane: 'self', padding: 1 }), pane: 'self', interactive: false };
const circle = L.circle([0, 0], { ...style, radius: 1, className: 'accuracy' });
const dot = L.circleMarker([0, 0], { ...style, radius: 7, className: 'self' });
const cone = element('div', { className: 'cone' });
const arrow = L.marker([0, 0], { pane: 'self', interactive: false, keyboard: false, icon: L.divIcon({ className: '', iconSize: [0, 0], html: cone }) });
const track = L.layerGroup().addTo(map);
let heading = null, spoken = 0, isFirst = true, line = null, points = [];

function draw() {
  line ??= L.polyline([], { ...inked('trail'), smoothFactor: 1.5, weight: 4, opacity: 0.9 }).addTo(track);
  line.setLatLngs(whole([points]));
}

function turn() {
  const course = state.position?.speed > 1 ? state.position.course : undefined;
  const degrees = heading?.trueHeading ?? heading?.magneticHeading ?? course;
  if (degrees === undefined || !state.position) return arrow.remove();
  cone.style.transform = `rotate(${degrees}deg)`;
  arrow.setLatLng(dot.getLatLng()).addTo(map);
}

function show({ latitude, longitude, horizontalAccuracy, speed, source, simulated }) {
  const near = horizontalAccuracy > 2000 ? 11 : horizontalAccuracy > 300 ? 13 : 15;
  if (state.follows) map.setView([latitude, longitude], isFirst ? near : map.getZoom(), { animate: false });
  isFirst = false;
  const at = [latitude, beside(longitude, map.getCenter().lng)];
  circle.setLatLng(at).setRadius(horizontalAccuracy).addTo(map);
  dot.setLatLng(at).addTo(map);
  const parts = [coordinates(latitude, longitude), t('to within {1}', length(horizontalAccuracy))];
  byID('here').textContent = list(...parts, speed > 0.5 && t('{1} km/h', Math.round(speed * 3.6)),
    t(kinds[source?.split(':')[0]] ?? ''), simulated && t('simulated'));
  // A voice that says each of ten positions a second helps nobody.
  if (Date.now() - spoken > 30_000) {
    spoken = Date.now();
    say(t('Position: {1}', parts.join(', ')));
  }
}

on('position', ([position]) => {
  state.position = position;
  byID('here').textContent = '';
  if (position) show(position);
  else [circle, dot].forEach(layer => layer.remove());
  turn();
});
on('heading', ([value]) => {
  heading = value;
  turn();
});
on('track', added => {
  for (const point of added) {
    if (points.push(point) < most) continue;
    draw();
    [line, points] = [null, [point]];
  }
  draw();
});
on('obstacle', ([obstacle]) => notice('daemon', obstacle && sentence(obstacle)));

export function reset() {
  track.clearLayers();
  [line, points] = [null, []];
}

// The kind of a place by its source, where that is no receiver.
const kinds = {
  wifi: 'by Wi-Fi networks', 'server-wifi': 'by a server’s word of Wi-Fi networks', 'server-cells': 'by a server’s word of the mobile cell',
  set: 'the set place', last: 'the last place', zone: 'the time zone’s city',
};

export function setFollows(follows) {
  state.follows = follows;
  byID('follow').ariaPressed = follows;
  if (follows && state.position) map.panTo(place());
}
