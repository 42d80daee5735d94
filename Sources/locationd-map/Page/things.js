// Files on the map: GeoJSON, GPX, and rows of JSON with a title, a place, a category, a latitude and a longitude.

import { button, byID, element, notice, openCard, row, say, swatch } from './dom.js';
import { on } from './parent.js';
import { showAddress } from './place.js';
import { fit, icon, inked, map } from './view.js';
import { t } from './words.js';
import { parse } from './files.js';

const palette = ['#0f766e', '#b45309', '#6d28d9', '#be123c', '#1d4ed8', '#4d7c0f', '#a21caf', '#0369a1', '#92400e', '#334155'];
// Fewer than this lie beside each other.
const many = 200;

const files = [];

on('files', added => added.forEach(({ name, text }) => {
  // A page that connects again is told all again.
  if (files.some(file => file.name === name && file.text === text)) return;
  try {
    add(name, text, parse(text));
  } catch {
    notice('places', t('{1} is neither GeoJSON, GPX nor rows with places.', name));
  }
}));

function add(name, text, { points, lines, areas }) {
  const group = points.length > many ? cluster() : L.layerGroup();
  // The most frequent first.
  const kinds = [...Map.groupBy(points, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length).map(([kind, all], i) => {
    const colour = palette[Math.min(i, palette.length - 1)], markers = L.layerGroup(all.map(point => marker(point, colour)));
    group.addLayer(markers);
    return { kind, colour, markers, count: all.length };
  });
  const shapes = L.featureGroup([
    ...lines.map(line => L.polyline(line, { ...inked('way'), weight: 4, opacity: 0.8 })),
    ...areas.map(rings => L.polygon(rings, { ...inked('inside'), weight: 2, fillOpacity: 0.12 })),
  ]).addTo(map);
  group.addTo(map);
  const bounds = points.reduce((all, point) => all.extend([point.latitude, point.longitude]), shapes.getBounds());
  files.push({ name, text, kinds, group, bounds, count: points.length + lines.length + areas.length });
  byID('things').hidden = false;
  fit(bounds, { animate: false });
  say(`${name}: ${t('{1} places', points.length)}`);
}

export const cluster = (iconCreateFunction = countIcon) => L.markerClusterGroup({
  animate: false, chunkedLoading: true, maxClusterRadius: 56, showCoverageOnHover: false, removeOutsideVisibleBounds: true, iconCreateFunction,
});

export function countIcon(cluster) {
  const count = cluster.getChildCount(), size = count < 100 ? 34 : count < 1000 ? 40 : 48;
  return L.divIcon({ html: element('span', { ariaLabel: t('{1} places', count) }, String(count)), className: 'many', iconSize: [size, size] });
}

// A marker that a mouse, a finger or a keyboard presses.
export function pressed(marker, title, press) {
  marker.on('add', () => {
    Object.assign(marker.getElement(), { role: 'button', ariaLabel: title });
  });
  marker.on('click', press);
  marker.on('keypress', ({ originalEvent }) => { if (originalEvent.key === 'Enter') press(); });
  return marker;
}

function marker(point, colour) {
  const { latitude, longitude, subtitle, kind } = point, title = point.title || t('A place without a name');
  const made = L.marker([latitude, longitude], { icon: icon('thing'), title });
  const open = () => showAddress(latitude, longitude, { title, subtitle, extra: kind ? [element('p', { className: 'kind' }, kind)] : [] });
  made.on('add', () => { made.getElement().style.backgroundColor = colour; });
  return pressed(made, title, open);
}

export function open() {
  openCard(t('Files'), files.flatMap(file => [
    element('h3', {}, `${file.name}: ${file.count}`),
    row(button(t('Show'), () => fit(file.bounds))),
    element('ul', { className: 'kinds' }, ...(file.kinds.length > 1 ? file.kinds : []).map(({ kind, colour, markers, count }) => {
      const box = element('input', { type: 'checkbox', checked: true, onchange: () => file.group[box.checked ? 'addLayer' : 'removeLayer'](markers) });
      return element('li', {}, element('label', {}, box, swatch(colour), ` ${kind || t('other')} `, element('small', {}, count)));
    })),
  ]));
}
