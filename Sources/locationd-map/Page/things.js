// Files on the map: GeoJSON, GPX, and rows of JSON with a title, a place, a category, a latitude and a longitude.

import { button, byID, element, notice, openCard, row, say } from './dom.js';
import { on } from './parent.js';
import { showAddress } from './place.js';
import { fit } from './view.js';
import { t } from './words.js';
import { parse } from './files.js';

const palette = ['#0f766e', '#b45309', '#6d28d9', '#be123c', '#1d4ed8', '#4d7c0f', '#a21caf', '#0369a1', '#92400e', '#334155'];
// Fewer than this lie beside each other.
const many = 200;

let map;
let files = [];

export function begin(theMap) {
  map = theMap;
  on('files', added => added.forEach(({ name, text }) => addFile(name, text)));
  return {
    reset: () => {
      for (const file of files) file.layers.forEach(layer => layer.remove());
      files = [];
    },
  };
}

function addFile(name, text) {
  try {
    add(name, parse(text));
  } catch {
    notice('places', t('unread', name));
  }
}

function add(name, { points, lines, areas }) {
  const kinds = new Map();
  for (const point of points) kinds.set(point.kind, (kinds.get(point.kind) ?? 0) + 1);
  const sorted = [...kinds.keys()].sort((a, b) => kinds.get(b) - kinds.get(a));
  const colour = kind => palette[Math.min(sorted.indexOf(kind), palette.length - 1)];
  const group = points.length > many ? cluster() : L.layerGroup();
  const markers = new Map(sorted.map(kind => [kind, []]));
  for (const point of points) markers.get(point.kind).push(marker(point, colour(point.kind)));
  for (const list of markers.values()) addAll(group, list);
  const shapes = L.featureGroup([
    ...lines.map(line => L.polyline(line, { color: '#0369a1', weight: 4, opacity: 0.8, interactive: false })),
    ...areas.map(rings => L.polygon(rings, { color: '#0f766e', weight: 2, fillOpacity: 0.15, interactive: false })),
  ]).addTo(map);
  group.addTo(map);
  const bounds = points.reduce((all, point) => all.extend([point.latitude, point.longitude]), shapes.getBounds());
  files.push({ name, kinds, colour, markers, group, layers: [group, shapes], bounds, count: points.length + lines.length + areas.length });
  byID('things').hidden = false;
  fit(bounds, { animate: false });
  say(`${name}: ${t('cluster', points.length)}`);
}

export const addAll = (group, list) => group.addLayers ? group.addLayers(list) : list.forEach(marker => group.addLayer(marker));
const removeAll = (group, list) => group.removeLayers ? group.removeLayers(list) : list.forEach(marker => group.removeLayer(marker));

// Markers that lie close together, as one.
export const cluster = (iconCreateFunction = countIcon) => L.markerClusterGroup({
  animate: false, chunkedLoading: true, maxClusterRadius: 56, showCoverageOnHover: false, removeOutsideVisibleBounds: true, iconCreateFunction,
});

export function countIcon(cluster) {
  const count = cluster.getChildCount(), size = count < 100 ? 34 : count < 1000 ? 40 : 48;
  return L.divIcon({ html: element('span', { 'aria-label': t('cluster', count) }, String(count)), className: 'many', iconSize: [size, size] });
}

// A marker that a mouse, a finger or a keyboard presses.
export function pressed(marker, title, press) {
  marker.on('add', () => {
    const shown = marker.getElement();
    shown.setAttribute('role', 'button');
    shown.setAttribute('aria-label', title);
  });
  marker.on('click', press);
  marker.on('keypress', ({ originalEvent }) => { if (originalEvent.key === 'Enter') press(); });
  return marker;
}

function marker(point, colour) {
  const made = L.marker([point.latitude, point.longitude], {
    icon: L.divIcon({ className: 'thing', iconSize: [18, 18] }), title: point.title,
  });
  const open = () => showAddress(point.latitude, point.longitude, { title: point.title || t('unnamed'), subtitle: point.subtitle,
    extra: point.kind ? [element('p', { className: 'kind' }, point.kind)] : [] });
  made.on('add', () => { made.getElement().style.backgroundColor = colour; });
  return pressed(made, point.title || t('unnamed'), open);
}

export function open() {
  openCard(t('things'), files.flatMap(file => [
    element('h3', {}, `${file.name}: ${file.count}`),
    row(button(t('show'), () => fit(file.bounds))),
    element('ul', { className: 'kinds' }, ...(file.kinds.size > 1 ? file.kinds.keys() : []).map(kind => {
      const swatch = element('i', { className: 'swatch' });
      swatch.style.backgroundColor = file.colour(kind);
      const box = element('input', { type: 'checkbox', checked: true, onchange: () =>
        (box.checked ? addAll : removeAll)(file.group, file.markers.get(kind)) });
      return element('li', {}, element('label', {}, box, swatch, ` ${kind || t('others')} `, element('small', {}, file.kinds.get(kind))));
    })),
  ]));
}
