// The way to a place: others to choose, stops on it, and the way as text and as a file.

import { button, copying, element, group, row, say } from './dom.js';
import { place } from './live.js';
import { ask } from './parent.js';
import { fit, icon, inked, map, middle, pair, whole } from './view.js';
import { duration, length, list, sentence, t } from './words.js';

const layers = L.layerGroup().addTo(map);
let round = 0;
// The card, its stops, the chosen way.
let wanted = null;

export function tidy() {
  round++;
  layers.clearLayers();
  wanted = null;
}

export function offer(to, name) {
  const answer = element('div', { className: 'way' });
  const kinds = [['automobile', 'By car'], ['walking', 'On foot'], ['cycling', 'By bicycle']].map(([transport, words]) => button(t(words), event => {
    kinds.forEach(kind => { kind.ariaPressed = kind === event.currentTarget; });
    wanted = { to, name, transport, answer, stops: wanted?.stops ?? [], way: null };
    find();
  }, { ariaPressed: 'false' }));
  return [
    element('h3', {}, t('The way there')), element('small', {}, t('from the position of this machine')),
    group(t('The way there'), ...kinds), answer,
  ];
}

async function find() {
  const { to, transport, stops, answer } = wanted;
  const here = place();
  if (!here) return answer.replaceChildren(t('A way from here needs a position.'));
  const own = ++round;
  answer.replaceChildren(t('Searching for a way…'));
  try {
    const { routes, attribution } = await ask('directions', { from: pair(here), to, transport, ...(stops.length ? { via: stops } : { alternates: true }) });
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
    const line = L.polyline(whole([each.polyline]), { ...inked(isChosen ? 'way' : 'quiet'), interactive: true, weight: isChosen ? 6 : 5, opacity: 0.8, bubblingMouseEvents: false });
    line.on('click', () => isChosen || show(routes, each, attribution));
    if (isChosen) line.on('mousedown', pull);
    line.addTo(layers);
  }
  wanted.stops.forEach(stop => putStop(stop));
  fit(L.latLngBounds(routes.flatMap(each => whole([each.polyline])[0][0])));
  wanted.answer.replaceChildren(
    ...(routes.length > 1 ? [group(t('{1} ways', routes.length), ...routes.map(each =>
      button(list(words(each), each.name), () => show(routes, each, attribution), { ariaPressed: each === way })))]
      : [element('p', { className: 'figures' }, words(way))]), ...stopRow(),
    element('ol', {}, ...way.steps.filter(step => step.instructions).map(step =>
      element('li', {}, step.instructions, ' ', element('small', {}, distance(step))))),
    ...(way.advisories ?? []).map(text => element('p', {}, text)),
    row(...copying(t('Copy the way'), () => text(way)), button(t('To a file'), () => save(way))),
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

const stopRow = () => [row(button(t('Stop in the middle of the map'), stopInMiddle),
  ...(wanted.stops.length ? [button(t('Without stops'), () => { wanted.stops = []; find(); })] : []))];

export const stopInMiddle = () => wanted && add(middle());

// Between the stops that the way passes before and after it.
function add(stop, near = stop) {
  const along = place => {
    const away = wanted.way.polyline.map(point => map.distance(point, place));
    return away.indexOf(Math.min(...away));
  };
  const index = wanted.way ? wanted.stops.filter(stop => along(stop) < along(near)).length : wanted.stops.length;
  wanted.stops.splice(index, 0, stop);
  find();
}

function putStop(stop) {
  const marker = L.marker(stop, { draggable: true, title: t('Stop; Enter removes it'), icon: icon('stop'), bubblingMouseEvents: false });
  // The marker stays until the next way is found; its stop may have gone before.
  const change = how => {
    const index = wanted?.stops.indexOf(stop) ?? -1;
    if (index < 0) return;
    how(index);
    find();
  };
  const remove = () => change(index => wanted.stops.splice(index, 1));
  marker.on('dragend', () => change(() => stop.splice(0, 2, ...pair(marker.getLatLng()))));
  marker.on('click', remove);
  marker.on('keydown', ({ originalEvent: { key } }) => ['Enter', 'Delete', 'Backspace'].includes(key) && remove());
  marker.addTo(layers);
}

// The line is drawn to where the way shall pass.
function pull({ latlng: begun }) {
  map.dragging.disable();
  const dot = L.circleMarker(begun, { ...inked('way'), radius: 8, fillColor: '#fff', fillOpacity: 1 }).addTo(layers);
  let end = null;
  const move = ({ latlng }) => dot.setLatLng(end = latlng);
  map.on('mousemove', move);
  document.addEventListener('mouseup', () => {
    map.off('mousemove', move);
    map.dragging.enable();
    dot.remove();
    if (!end || !wanted) return;
    // The end of the drag is no click on the map.
    window.addEventListener('click', event => event.stopPropagation(), { capture: true, signal: AbortSignal.timeout(0) });
    add(pair(end), pair(begun));
  }, { once: true });
}
