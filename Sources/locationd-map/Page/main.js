// The page of the map: its parts, put together.

import * as app from './app.js';
import { byID, closeCard, element, escaped, notice } from './dom.js';
import * as days from './days.js';
import * as land from './land.js';
import * as live from './live.js';
import { connect, on } from './parent.js';
import * as place from './place.js';
import * as regions from './regions.js';
import * as search from './search.js';
import * as stand from './stand.js';
import * as streets from './streets.js';
import * as things from './things.js';
import { choose, t } from './words.js';

const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
const map = L.map('map', {
  preferCanvas: true, zoomControl: false, minZoom: 2, maxZoom: 19, worldCopyJump: true, attributionControl: false,
  zoomAnimation: !isStill, fadeAnimation: false, inertia: !isStill,
}).setView([25, 10], 2);
L.control.zoom({ position: 'bottomright' }).addTo(map);
const credit = L.control.attribution({ position: 'bottomleft', prefix: 'Leaflet' }).addTo(map);
let ground = null;
let pictures = null;

function name() {
  byID('query').placeholder = t('search');
  byID('query').setAttribute('aria-label', t('search'));
  byID('map').setAttribute('aria-label', t('map'));
  byID('tools').setAttribute('aria-label', t('map'));
  byID('close').setAttribute('aria-label', t('close'));
  byID('close').textContent = '×';
  for (const button of ['follow', 'day', 'regions', 'things']) byID(button).textContent = t(button);
  ground?.rename();
}

name();
place.begin(map);
regions.begin(map);
stand.begin(map);
days.begin(map);
const resets = [live.begin(map), things.begin(map)];
app.begin(map);
search.begin(map, found => {
  live.setFollows(false, map);
  place.show(found);
});

land.load().then(layer => {
  if (!layer) return notice('land', t('noLand'));
  ground = layer;
  credit.addAttribution(escaped(t('credit')));
  ground.addTo(map).bringToBack();
  pictures?.bringToFront();
}).catch(() => notice('land', t('noLand')));

on('about', ([about]) => {
  choose(about.locale);
  name();
  if (about.app) app.show(about.app);
  pictures?.remove();
  if (!about.tiles) return;
  pictures = L.tileLayer(about.tiles, {
    maxZoom: 19, attribution: escaped(about.attribution ?? new URL(about.tiles.replace('{s}', 'a')).hostname),
  }).addTo(map);
});

// The place that the map was opened for, once: a page that connects again stays where it is.
let isShown = false;
on('place', ([{ latitude, longitude }]) => {
  if (isShown) return;
  isShown = true;
  live.setFollows(false, map);
  map.setView([latitude, longitude], 15);
  showAddress(latitude, longitude);
});

map.on('click', ({ latlng }) => {
  const { lat, lng } = latlng.wrap();
  if (regions.isDrawing()) return regions.click([lat, lng]);
  showAddress(lat, lng);
});

map.on('contextmenu', ({ latlng }) => {
  if (app.isApp() || regions.isDrawing()) return;
  const { lat, lng } = latlng.wrap();
  stand.open(lat, lng);
});

function showAddress(latitude, longitude) {
  if (app.isApp()) return app.tap(latitude, longitude);
  place.showAddress(latitude, longitude, { extra: [element('div', { className: 'row' },
    element('button', { type: 'button', onclick: () => regions.openAt(latitude, longitude) }, t('regionHere')),
    stand.button(latitude, longitude))] });
}

map.on('dragstart files', () => app.isApp() || live.setFollows(false, map));

const toggle = () => (app.isApp() ? app.follow(!live.state.follows) : live.setFollows(!live.state.follows, map));
byID('follow').addEventListener('click', toggle);
byID('day').addEventListener('click', days.open);
byID('regions').addEventListener('click', regions.open);
byID('things').addEventListener('click', things.open);
byID('close').addEventListener('click', () => closeCard());
// The middle of the map is where a keyboard points.
byID('map').addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.target !== byID('map')) return;
  const { lat, lng } = map.getCenter().wrap();
  if (regions.isDrawing()) regions.click([lat, lng]);
  else showAddress(lat, lng);
});
function standInMiddle() {
  const { lat, lng } = map.getCenter().wrap();
  stand.open(lat, lng);
}

document.addEventListener('keydown', event => {
  if (event.key === 'Escape') closeCard();
  const isTyping = event.target.matches('input, select, textarea') || event.ctrlKey || event.altKey || event.metaKey;
  if (isTyping) return;
  if (event.key === '/') byID('query').focus();
  else if (event.key === 'f') toggle();
  else if (event.key === 'h' && !app.isApp() && !regions.isDrawing()) standInMiddle();
  else return;
  event.preventDefault();
});

let roads = null;

// Where an extract is imported.
async function showStreets() {
  roads?.layer.remove();
  roads = await streets.load().catch(() => null);
  credit.removeAttribution(escaped(t('noStreets')));
  if (!roads && !app.isApp()) credit.addAttribution(escaped(t('noStreets')));
  if (!roads) return;
  roads.layer.addTo(map);
  credit.addAttribution(escaped(roads.credit));
  pictures?.bringToFront();
}

let lost = 0;
connect(() => {
  clearTimeout(lost);
  lost = 0;
  notice('parent', '');
  for (const part of resets) part.reset();
  showStreets();
}, () => {
  // A server that ended may only have been slow.
  lost ||= setTimeout(() => notice('parent', t(app.isApp() ? 'appGone' : 'gone')), 2000);
});

