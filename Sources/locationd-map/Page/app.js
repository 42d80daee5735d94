// The map of an app: its annotations and overlays, and what the person does goes to it.

import { byID, element, say } from './dom.js';
import { Source } from './ground.js';
import { Taken } from './labels.js';
import * as live from './live.js';
import { on, wish } from './parent.js';
import { cluster, countIcon, pressed } from './things.js';
import { map, pair } from './view.js';

let labels;
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

// No more than the app shows.
export async function begin(theLabels, name) {
  labels = theLabels;
  document.title = name;
  await new Promise(done => document.head.append(element('link', { rel: 'stylesheet', href: 'app.css', onload: done, onerror: done })));
  byID('map').classList.add('own');
  for (const id of ['search', 'day', 'regions', 'things', 'follow']) byID(id).hidden = true;
  // The app's part of the map, exactly.
  map.options.zoomSnap = 0;
  live.setFollows(false);
  on('images', (values, isWhole) => {
    if (isWhole) images.clear();
    else values.forEach(image => images.set(image.id, image));
  });
  on('pins', (values, isWhole) => {
    if (isWhole) putAll(values[0]);
    else values.forEach(put);
    open();
    look();
  });
  on('clusters', ([all]) => {
    clusters = new Map(all.map(({ of, pin }) => [of.join(), pin]));
    for (const { layer } of clustersShown()) layer.setIcon(clusterIcon(layer));
  });
  on('overlays', ([all]) => {
    const old = overlays;
    // Squares that are there stay.
    overlays = all.map(spec => {
      const text = JSON.stringify(spec);
      return old.find(layer => layer.text === text) ?? Object.assign(draw(spec), { text });
    });
    for (const layer of old) if (!overlays.includes(layer)) layer.remove();
    for (const layer of overlays) layer.addTo(map).bringToFront();
    byID('map').classList.toggle('replaced', all.some(spec => spec.replaces));
  });
  on('settings', ([wanted]) => settle(wanted));
  on('selected', ([number]) => {
    const old = selected;
    selected = number;
    for (const id of [old, selected]) pins.get(id)?.marker.setZIndexOffset(rise(pins.get(id).pin));
    open();
    look();
  });
  on('view', ([wanted]) => {
    // Leaflet leaves out a move during another.
    map._onZoomTransitionEnd();
    view = wanted;
    isMoving = true;
    map.fitBounds([[view.south, view.west], [view.north, view.east]], { animate: view.animated });
    // The end of a longer move is told.
    isMoving = Boolean(map._animatingZoom || map._panAnim?._inProgress);
    if (!isMoving) report(false);
  });
  on('tracking', ([{ shown, follows }]) => {
    byID('follow').hidden = !shown;
    live.setFollows(follows);
  });
  map.on('moveend resize', () => {
    report(hasPerson && !isMoving && !live.state.follows);
    isMoving = false;
    look();
  });
  map.on('dragstart arrow', () => live.state.follows && follow(false));
  for (const name of ['pointerdown', 'wheel', 'keydown']) {
    byID('map').addEventListener(name, () => { hasPerson = true; }, { capture: true, passive: true });
  }
}

// A person has moved the map, not only the app.
let hasPerson = false;

export function follow(follows) {
  live.setFollows(follows);
  tell({ follow: follows });
}

function report(person) {
  const bounds = map.getBounds(), size = map.getSize();
  if (!size.x || !size.y) return;
  tell({ view: {
    number: view.number, person, north: Math.min(bounds.getNorth(), 90), south: Math.max(bounds.getSouth(), -90),
    west: bounds.getWest(), east: bounds.getEast(), width: size.x, height: size.y,
  } });
}

function putAll(all) {
  pins.clear();
  for (const layers of groups.values()) layers.clearLayers();
  // Clusters are made of many at once.
  for (const [layers, some] of Map.groupBy(all.filter(pin => !pin.gone), group)) {
    if (layers.addLayers) layers.addLayers(some.map(hold));
    else some.forEach(pin => layers.addLayer(hold(pin)));
  }
}

function hold(pin) {
  const marker = make(pin);
  pins.set(pin.id, { pin, marker });
  return marker;
}

function group(pin) {
  const name = pin.cluster ?? '';
  if (!groups.has(name)) groups.set(name, (name ? clustered() : L.layerGroup()).addTo(map));
  return groups.get(name);
}

function clustered() {
  const layers = cluster(clusterIcon), zoom = layers._zoomOrSpiderfy;
  // The app may show the members itself.
  layers._zoomOrSpiderfy = async event => {
    const pin = clusters.get(members(event.layer)), { key = 'Enter' } = event.originalEvent;
    if (key === 'Enter' && !(pin && await tell({ select: pin.id }))) zoom.call(layers, event);
  };
  return layers;
}

// The app's annotations of clusters, by the numbers of their members.
let clusters = new Map();
const members = layer => layer.getAllChildMarkers().map(marker => marker.pin.id).sort((a, b) => a - b).join();
const clusterIcon = layer => {
  const pin = clusters.get(members(layer));
  return pin ? icon(pin) : countIcon(layer);
};

// Clusters of more members look as the page has them.
const mostMembers = 200;
const clustersShown = () => [...groups.values()].flatMap(layers => layers._featureGroup?.getLayers() ?? [])
  .filter(layer => layer.getChildCount?.() <= mostMembers).map(layer => ({ layer, key: members(layer) }));

// Once all is quiet: the app hears of new clusters, pins that meet greater ones are hidden.
let told = '', looking = 0;
function look() {
  clearTimeout(looking);
  looking = setTimeout(() => {
    const keys = clustersShown().map(({ key }) => key).sort(), text = keys.join(' ');
    if (text !== told) tell({ clusters: keys.map(key => key.split(',').map(Number)) });
    told = text;
    hide();
  }, 150);
}

function hide() {
  let all = [...pins.values()];
  if (all.every(({ pin }) => pin.priority === undefined)) return;
  // The selected one goes first: its callout stands on it.
  const rank = ({ pin }) => pin.id === selected ? Infinity : pin.priority ?? 1000, taken = new Taken();
  all = all.filter(({ pin, marker }) => pin.collides !== false && marker.getElement()).sort((a, b) => rank(b) - rank(a) || a.pin.id - b.pin.id);
  for (const { pin, marker } of all) {
    const shown = marker.getElement(), { left, top, right, bottom } = shown.getBoundingClientRect(), box = [left, top, right, bottom];
    const isMet = pin.priority !== undefined && taken.meets(box);
    shown.style.visibility = isMet ? 'hidden' : '';
    if (!isMet) taken.add(box);
  }
}

function settle({ still, zoom, scroll, scale, buttons, muted, unnamed, hidden }) {
  const turn = (names, isOn) => names.forEach(name => map[name]?.[isOn ? 'enable' : 'disable']());
  turn(['scrollWheelZoom', 'doubleClickZoom', 'touchZoom', 'boxZoom'], zoom);
  turn(['dragging'], scroll);
  // Arrows move the map, + and − change its scale.
  const { keyboard: keys, options } = map;
  if (scroll) keys._setPanDelta(options.keyboardPanDelta);
  else keys._panKeys = {};
  if (zoom) keys._setZoomDelta(options.zoomDelta);
  else keys._zoomKeys = {};
  for (const [name, isOn] of Object.entries({ fixed: !buttons, muted, unnamed, scaled: scale })) byID('map').classList.toggle(name, isOn);
  byID('map').inert = still;
  labels.setHidden(hidden);
}

function put(pin) {
  const old = pins.get(pin.id);
  if (old) group(old.pin).removeLayer(old.marker);
  pins.delete(pin.id);
  if (!pin.gone) group(pin).addLayer(hold(pin));
}

// By their numbers, as the app has told them.
const images = new Map();
function picture(number, height = Infinity) {
  const image = images.get(number);
  if (!image?.png) return element('span', {}, image?.sign ?? '●');
  const [wide, high] = image.size;
  const part = Math.min(1, height / high);
  return element('img', { src: image.png, alt: '', width: wide * part, height: high * part });
}

const sizes = { marker: [30, 40], pin: [18, 30], dot: [18, 18] };
const size = pin => images.get(pin.kind === 'image' && pin.image)?.size ?? sizes[pin.kind] ?? sizes.dot;
// From its place up to its top.
const reach = pin => size(pin)[1] / (pin.kind === 'marker' || pin.kind === 'pin' ? 1 : 2);
const rise = pin => ((pin.above ?? [500, 1000])[pin.id === selected ? 1 : 0] - 500) * 1000;

// The mark of an annotation, and its foot.
function icon(pin) {
  const [width, height] = size(pin);
  const [right, down] = pin.offset ?? [0, 0];
  const sign = pin.image ? picture(pin.image, pin.kind === 'image' ? undefined : 20) : element('span', {}, pin.glyph ?? '');
  if (pin.glyphColor) sign.style.color = pin.glyphColor;
  const html = element('div', { className: 'mark' }, sign);
  html.style.setProperty('--pin', pin.color);
  html.style.opacity = pin.alpha ?? 1;
  if (pin.transform) html.style.transform = `matrix(${pin.transform})`;
  return L.divIcon({ className: `app ${pin.kind}`, html, iconSize: [width, height], iconAnchor: [width / 2 - right, reach(pin) - down] });
}

function make(pin) {
  const marker = L.marker(pin.at, {
    title: pin.title ?? '', keyboard: pin.enabled, interactive: pin.enabled, bubblingMouseEvents: false, icon: icon(pin),
    draggable: Boolean(pin.drags), zIndexOffset: rise(pin),
  });
  marker.pin = pin;
  if (pin.below) {
    marker.bindTooltip(element('span', {}, pin.below.join(' · ')), { permanent: true, direction: 'bottom', className: 'name', interactive: false });
  }
  marker.on('dragstart', () => {
    close();
    tell({ drag: pin.id });
  });
  marker.on('dragend', () => tell({ drag: pin.id, at: pair(marker.getLatLng()) }));
  return pressed(marker, pin.title ?? '', () => tell(selected === pin.id ? { deselect: pin.id } : { select: pin.id }));
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
  const pin = pins.get(selected)?.pin;
  if (!pin?.callout || !pin.title) return;
  const parts = all => all.map(({ text, image }) => (image ? picture(image) : element('div', {}, text)));
  const button = (side, words) => words && (Array.isArray(words) ? element('div', {}, ...parts(words))
    : element('button', { type: 'button', className: side, onclick: () => tell({ control: pin.id, side }) }, words));
  const [right, down] = pin.calloutOffset ?? [0, 0];
  popup = L.popup({ autoPan: false, closeOnClick: false, offset: [right, down + 7 - reach(pin)], className: 'callout' })
    .setLatLng(pin.at)
    .setContent(element('div', { className: 'row' }, button('left', pin.left),
      element('div', {}, element('b', {}, pin.title), button('detail', pin.detail) ?? element('div', {}, pin.subtitle ?? '')),
    button('right', pin.right)))
    .openOn(map);
  const own = popup;
  popup.on('remove', () => {
    if (popup !== own) return;
    popup = null;
    tell({ deselect: pin.id });
  });
  say([pin.title, pin.subtitle].filter(Boolean).join(', '));
}

function draw({ kind, parts, radius, stroke, fill, width, dash, alpha, cap, join, blend, level, image, ...tiles }) {
  if (kind === 'tiles') return pictures(tiles, alpha, pane(level, blend, true));
  if (kind === 'picture') return L.imageOverlay(images.get(image)?.png, parts, { opacity: alpha, pane: pane(level, blend, true) });
  const style = {
    interactive: false, stroke: Boolean(stroke), color: stroke, weight: width, opacity: alpha, fill: Boolean(fill) && kind !== 'lines',
    fillColor: fill, fillOpacity: alpha, dashArray: dash?.join(' '), lineCap: cap, lineJoin: join, smoothFactor: 0.3,
  };
  if (blend || level) style.renderer = canvas(level, blend);
  if (kind === 'circle') return L.circle(parts[0], { ...style, radius });
  return Object.assign(L[kind === 'lines' ? 'polyline' : 'polygon'](parts, style), { _projectLatlngs: project });
}

// To quarters of a point: at whole ones, Leaflet's, curves waver.
function project(places, rings, bounds) {
  if (Array.isArray(places[0])) return places.forEach(part => this._projectLatlngs(part, rings, bounds));
  const origin = map.getPixelOrigin();
  rings.push(places.map(place => map.project(place).subtract(origin).multiplyBy(4).round().divideBy(4)));
  rings.at(-1).forEach(point => bounds.extend(point));
}

// Below the names of the map, or with a mode of its own. Pictures lie below lines.
function pane(level = 'labels', blend = 'normal', isPicture = false) {
  const name = `${isPicture ? 'pictures-' : ''}${level}-${blend}`;
  if (!map.getPane(name)) {
    map.createPane(name).style.cssText = `z-index: ${(level === 'roads' ? 340 : 400) - isPicture}; mix-blend-mode: ${blend}`;
  }
  return name;
}

const canvases = {};
function canvas(...where) {
  const name = pane(...where);
  return canvases[name] ??= L.canvas({ pane: name });
}

// Squares that the app loads. To Leaflet larger ones are of a later level.
function pictures({ at, size, min, max, load }, opacity, pane) {
  const later = Math.min(3, Math.max(-1, Math.round(Math.log2(size / 256)) || 0));
  const squares = new Source(({ level, x, y }) =>
    wish({ tile: { overlay: at, load, x, y, z: level, scale: devicePixelRatio > 1 ? 2 : 1 } }).then(url => ({ url })), 0);
  const layer = L.gridLayer({ tileSize: 256 * 2 ** later, minZoom: min + later, maxNativeZoom: max + later, opacity, pane });
  layer.createTile = ({ x, y, z }, done) => {
    const image = Object.assign(element('img', { alt: '' }), { isWanted: true });
    squares.get(z - later, x, y, image).then(({ url }) => {
      if (url) image.src = url;
      else image.hidden = true;
      done(null, image);
    }, () => done(new Error('no square'), image));
    return image;
  };
  return layer.on('tileunload', ({ tile }) => { tile.isWanted = false; });
}
