// The map of an app: its annotations and overlays, and what the person does goes to it.

import { byID, element, say } from './dom.js';
import * as live from './live.js';
import { on, wish } from './parent.js';

let map;
let view = { number: 0 };
let selected = null;
let overlays = [];
let isMoving = false;
// By their numbers: `{pin, marker}`.
const pins = new Map();
// By the name that the app gave; '' for none.
const groups = new Map();

// The app may be slow or gone; the page says the latter.
const tell = what => wish(what).catch(() => {});

export const tap = (latitude, longitude) => tell({ tap: [latitude, longitude] });

// In an app's page there is no more than the app shows.
export function begin(theMap, name) {
  map = theMap;
  document.title = name;
  for (const id of ['search', 'day', 'regions', 'things', 'follow']) byID(id).hidden = true;
  // The app's part of the map, exactly.
  map.options.zoomSnap = 0;
  live.setFollows(false, map);
  on('pins', (values, isWhole) => {
    if (isWhole) putAll(values[0]);
    else values.forEach(put);
    open();
  });
  on('overlays', ([all]) => {
    for (const layer of overlays) layer.remove();
    overlays = all.flatMap(draw);
    for (const layer of overlays) layer.addTo(map);
  });
  on('selected', ([number]) => {
    selected = number;
    open();
  });
  on('view', ([wanted]) => {
    view = wanted;
    isMoving = true;
    map.fitBounds([[view.south, view.west], [view.north, view.east]], { animate: view.animated });
    // Where it moves by itself for a while, its end is told.
    isMoving = Boolean(map._animatingZoom || map._panAnim?._inProgress);
    if (!isMoving) report(false);
  });
  on('tracking', ([{ shown, follows }]) => {
    byID('follow').hidden = !shown;
    live.setFollows(follows, map);
  });
  map.on('moveend resize', () => {
    report(hasPerson && !isMoving && !live.state.follows);
    isMoving = false;
  });
  map.on('dragstart', () => {
    if (live.state.follows) follow(false);
  });
  for (const name of ['pointerdown', 'wheel', 'keydown', 'touchstart']) {
    byID('map').addEventListener(name, () => { hasPerson = true; }, { capture: true, passive: true });
  }
}

// A person has moved the map, not only the app.
let hasPerson = false;

export function follow(follows) {
  live.setFollows(follows, map);
  tell({ follow: follows });
}

function report(person) {
  const [bounds, size] = [map.getBounds(), map.getSize()];
  if (!size.x || !size.y) return;
  tell({ view: {
    number: view.number, person, north: Math.min(bounds.getNorth(), 90), south: Math.max(bounds.getSouth(), -90),
    west: bounds.getWest(), east: bounds.getEast(), width: size.x, height: size.y,
  } });
}

function putAll(all) {
  pins.clear();
  const fresh = new Map();
  for (const layers of groups.values()) layers.clearLayers();
  for (const pin of all.filter(pin => !pin.gone)) {
    const marker = make(pin);
    pins.set(pin.id, { pin, marker });
    if (!fresh.has(group(pin))) fresh.set(group(pin), []);
    fresh.get(group(pin)).push(marker);
  }
  // Clusters are made of many at once.
  for (const [layers, markers] of fresh) {
    if (layers.addLayers) layers.addLayers(markers);
    else markers.forEach(marker => layers.addLayer(marker));
  }
}

function group(pin) {
  const name = pin.cluster ?? '';
  if (!groups.has(name)) groups.set(name, (name ? cluster() : L.layerGroup()).addTo(map));
  return groups.get(name);
}

function cluster() {
  return L.markerClusterGroup({
    animate: false, chunkedLoading: true, maxClusterRadius: 56, showCoverageOnHover: false, removeOutsideVisibleBounds: true,
    iconCreateFunction: cluster => L.divIcon({
      html: element('span', {}, String(cluster.getChildCount())), className: 'many', iconSize: [36, 36],
    }),
  });
}

function put(pin) {
  const old = pins.get(pin.id);
  if (old) group(old.pin).removeLayer(old.marker);
  pins.delete(pin.id);
  if (pin.gone) return;
  const marker = make(pin);
  pins.set(pin.id, { pin, marker });
  group(pin).addLayer(marker);
}

const sizes = { marker: [30, 40], pin: [18, 30], dot: [18, 18] };

function make(pin) {
  const [width, height] = sizes[pin.kind] ?? sizes.dot;
  const [right, down] = pin.offset ?? [0, 0];
  const foot = pin.kind === 'dot' ? height / 2 : height;
  const sign = element('span', {}, pin.glyph ?? '');
  const marker = L.marker(pin.at, {
    title: pin.title ?? '', keyboard: pin.enabled, interactive: pin.enabled, bubblingMouseEvents: false,
    icon: L.divIcon({ className: `app ${pin.kind}`, html: sign, iconSize: [width, height], iconAnchor: [width / 2 - right, foot - down] }),
  });
  marker.on('add', () => {
    const shown = marker.getElement();
    shown.style.setProperty('--pin', pin.color);
    if (pin.glyphColor) sign.style.color = pin.glyphColor;
    shown.setAttribute('role', 'button');
    shown.setAttribute('aria-label', pin.title ?? '');
  });
  const choose = () => tell(selected === pin.id ? { deselect: pin.id } : { select: pin.id });
  marker.on('click', choose);
  marker.on('keypress', ({ originalEvent }) => { if (originalEvent.key === 'Enter') choose(); });
  return marker;
}

let popup = null;

function close() {
  const old = popup;
  popup = null;
  old?.remove();
}

// The callout of what is selected.
function open() {
  close();
  const found = pins.get(selected);
  if (!found) return;
  const { pin } = found;
  if (!pin.callout || !pin.title) return;
  const button = (side, words) => words &&
    element('button', { type: 'button', className: side, onclick: () => tell({ control: pin.id, side }) }, words);
  const [right, down] = pin.calloutOffset ?? [0, 0];
  const height = pin.kind === 'dot' ? 9 : (sizes[pin.kind] ?? sizes.dot)[1];
  popup = L.popup({ autoPan: false, closeOnClick: false, offset: [right, down + 7 - height], className: 'callout' })
    .setLatLng(pin.at)
    .setContent(element('div', { className: 'row' }, button('left', pin.left),
      element('div', {}, element('b', {}, pin.title), element('div', {}, pin.subtitle ?? '')), button('right', pin.right)))
    .openOn(map);
  const own = popup;
  popup.on('remove', () => {
    if (popup !== own) return;
    popup = null;
    tell({ deselect: pin.id });
  });
  say([pin.title, pin.subtitle].filter(Boolean).join(', '));
}

function draw({ kind, parts, radius, stroke, fill, width, dash, alpha }) {
  const style = {
    interactive: false, stroke: Boolean(stroke), color: stroke, weight: width, opacity: alpha, fill: Boolean(fill) && kind !== 'lines',
    fillColor: fill, fillOpacity: alpha, dashArray: dash?.join(' '),
  };
  if (kind === 'circle') return [L.circle(parts[0], { ...style, radius })];
  return [kind === 'lines' ? L.polyline(parts, style) : L.polygon(parts, style)];
}
