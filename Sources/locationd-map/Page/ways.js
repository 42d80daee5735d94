// The way to a place: others to choose, stops on it, and the way as text and as a file.

import { button, copying, element, row, say } from './dom.js';
import { state } from './live.js';
import { ask } from './parent.js';
import { fit, middle } from './view.js';
import { duration, length, sentence, t } from './words.js';

const [chosenColour, otherColour] = ['#1d4ed8', '#64748b'];
const layers = L.layerGroup();
let map, round = 0;
// The question that the card asks, its stops, and the way that is chosen.
let wanted = null;

export function begin(theMap) {
  map = theMap;
  layers.addTo(map);
}

export function tidy() {
  round++;
  layers.clearLayers();
  wanted = null;
}

// The part of a card that offers ways to a place.
export function offer(to, name) {
  const answer = element('div', { className: 'way' });
  const kinds = ['automobile', 'walking', 'cycling'].map(transport => button(t(transport), event => {
    kinds.forEach(kind => kind.setAttribute('aria-pressed', kind === event.currentTarget));
    wanted = { to, name, transport, answer, stops: wanted?.stops ?? [], way: null };
    find();
  }, { 'aria-pressed': 'false' }));
  return [
    element('h3', {}, t('wayTo')), element('small', {}, t('wayFrom')),
    element('div', { className: 'row', role: 'group', 'aria-label': t('wayTo') }, ...kinds), answer,
  ];
}

async function find() {
  const { to, transport, stops, answer } = wanted;
  if (!state.position) return answer.replaceChildren(t('noStart'));
  const own = ++round;
  answer.replaceChildren(t('searching'));
  try {
    const from = [state.position.latitude, state.position.longitude];
    const { routes, attribution } = await ask('directions', { from, to, transport, ...(stops.length ? { via: stops } : { alternates: true }) });
    if (own === round) show(routes, routes[0], attribution ?? '© OpenStreetMap contributors, ODbL');
  } catch (error) {
    if (own === round) answer.replaceChildren(sentence(error), ...(stops.length ? stopRow() : []));
  }
}

const words = way => `${length(way.distance)}, ${duration(way.expectedTravelTime)}`;

function show(routes, way, attribution) {
  wanted.way = way;
  layers.clearLayers();
  // The chosen way lies above the others.
  for (const each of [...routes.filter(other => other !== way), way]) {
    const isChosen = each === way;
    const line = L.polyline(each.polyline, { color: isChosen ? chosenColour : otherColour, weight: isChosen ? 6 : 5, opacity: 0.8, bubblingMouseEvents: false });
    line.on('click', () => isChosen || show(routes, each, attribution));
    if (isChosen) line.on('mousedown', pull);
    line.addTo(layers);
  }
  wanted.stops.forEach(stop => putStop(stop));
  fit(L.latLngBounds(routes.flatMap(each => each.polyline)));
  wanted.answer.replaceChildren(
    ...(routes.length > 1 ? [element('div', { className: 'row', role: 'group', 'aria-label': t('waysFound', routes.length) }, ...routes.map(each =>
      button([words(each), each.name].filter(Boolean).join(' · '), () => show(routes, each, attribution), { 'aria-pressed': String(each === way) })))]
      : [element('p', { className: 'figures' }, words(way))]), ...stopRow(),
    element('ol', {}, ...way.steps.filter(step => step.instructions).map(step =>
      element('li', {}, step.instructions, ' ', element('small', {}, distance(step))))),
    ...(way.advisories ?? []).map(text => element('p', {}, text)),
    row(...copying(t('copyWay'), () => text(way)), button(t('toFile'), () => save(way))),
    element('small', {}, attribution));
  say(words(way));
}

const distance = step => (step.distance > 0 ? length(step.distance) : '');

const text = way => [`${wanted.name}: ${words(way)}`,
  ...way.steps.filter(step => step.instructions).map((step, i) => `${i + 1}. ${step.instructions} ${distance(step)}`.trim())].join('\n');

const xml = text => new XMLSerializer().serializeToString(document.createTextNode(text ?? ''));

// GPX: the steps as a route, the line as a track.
function save(way) {
  const at = ([latitude, longitude]) => `lat="${latitude}" lon="${longitude}"`;
  const steps = way.steps.filter(step => step.polyline?.length);
  const gpx = ['<?xml version="1.0" encoding="UTF-8"?>', '<gpx version="1.1" creator="locationd" xmlns="http://www.topografix.com/GPX/1/1">',
    `<rte><name>${xml(wanted.name)}</name>`, ...steps.map(step => `<rtept ${at(step.polyline[0])}><desc>${xml(step.instructions)}</desc></rtept>`),
    '</rte><trk><trkseg>', ...way.polyline.map(point => `<trkpt ${at(point)}/>`), '</trkseg></trk></gpx>'].join('\n');
  const href = URL.createObjectURL(new Blob([gpx], { type: 'application/gpx+xml' }));
  element('a', { href, download: 'way.gpx' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

// MARK: Stops

const stopRow = () => [row(button(t('stopHere'), stopInMiddle),
  ...(wanted.stops.length ? [button(t('noStops'), () => { wanted.stops = []; find(); })] : []))];

const pair = ({ lat, lng }) => [+lat.toFixed(6), +lng.toFixed(6)];

// The middle of the map, where a keyboard points, becomes a stop.
export function stopInMiddle() {
  const [lat, lng] = middle();
  if (wanted) add({ lat, lng });
}

// Between the stops that the way passes before and after it.
function add(place, near = place) {
  const along = ([latitude, longitude]) => {
    const away = wanted.way.polyline.map(point => map.distance(point, [latitude, longitude]));
    return away.indexOf(Math.min(...away));
  };
  const index = wanted.way ? wanted.stops.filter(stop => along(stop) < along(pair(near))).length : wanted.stops.length;
  wanted.stops.splice(index, 0, pair(place));
  find();
}

function putStop(stop) {
  const marker = L.marker(stop, { draggable: true, title: t('stop'), icon: L.divIcon({ className: 'stop', iconSize: [18, 18] }), bubblingMouseEvents: false });
  // The marker stays until the next way is found; its stop may have gone before.
  const change = how => {
    const index = wanted?.stops.indexOf(stop) ?? -1;
    if (index < 0) return;
    how(index);
    find();
  };
  const remove = () => change(index => wanted.stops.splice(index, 1));
  marker.on('dragend', () => change(() => stop.splice(0, 2, ...pair(marker.getLatLng().wrap()))));
  marker.on('click', remove);
  marker.on('keydown', ({ originalEvent: { key } }) => ['Enter', 'Delete', 'Backspace'].includes(key) && remove());
  marker.addTo(layers);
}

// The line itself is drawn to where the way shall pass.
function pull({ latlng: begun }) {
  map.dragging.disable();
  const dot = L.circleMarker(begun, { radius: 8, color: chosenColour, fillColor: '#fff', fillOpacity: 1, interactive: false }).addTo(layers);
  let place = null;
  const move = ({ latlng }) => dot.setLatLng(place = latlng);
  map.on('mousemove', move);
  document.addEventListener('mouseup', () => {
    map.off('mousemove', move);
    map.dragging.enable();
    dot.remove();
    if (!place || !wanted) return;
    // The end of the drag is no click on the map.
    const swallow = event => event.stopPropagation();
    window.addEventListener('click', swallow, { capture: true });
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
    add(place.wrap(), begun);
  }, { once: true });
}
