// The page of the map: its parts, put together.

import { button, byID, closeCard, element, escaped, notice, row } from './dom.js';
import * as days from './days.js';
import { Ground } from './ground.js';
import { Labels } from './labels.js';
import * as live from './live.js';
import { ask, connect, on } from './parent.js';
import * as place from './place.js';
import * as regions from './regions.js';
import * as search from './search.js';
import { speak } from './speech.js';
import * as stand from './stand.js';
import * as things from './things.js';
import * as view from './view.js';
import * as ways from './ways.js';
import { choose, t } from './words.js';

await speak(navigator.language);
const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
const map = L.map('map', {
  preferCanvas: true, zoomControl: false, minZoom: 2, maxZoom: 19, worldCopyJump: true, attributionControl: false,
  zoomAnimation: !isStill, fadeAnimation: false, inertia: !isStill,
}).setView([25, 10], 2);
// The credit lies below all else.
const credit = L.control.attribution({ position: 'bottomright', prefix: 'Leaflet' }).addTo(map);
L.control.zoom({ position: 'bottomright' }).addTo(map);
L.control.scale({ position: 'bottomright', imperial: false }).addTo(map);
const ground = new Ground(() => labels.later()).addTo(map).bringToBack();
const labels = new Labels(ground, () => [place.marked(), live.place()].filter(Boolean)).addTo(map);
let pictures = null;
// The part of an app's page, once it is known to be one.
let app = null;

function name() {
  byID('query').placeholder = t('search');
  byID('query').setAttribute('aria-label', t('search'));
  byID('map').setAttribute('aria-label', t('map'));
  byID('tools').setAttribute('aria-label', t('map'));
  byID('close').setAttribute('aria-label', t('close'));
  byID('close').textContent = '×';
  view.label();
  for (const button of ['follow', 'day', 'regions', 'things']) byID(button).textContent = t(button);
  labels.later();
}

name();
view.begin(map);
place.begin(map, () => labels.later());
ways.begin(map);
regions.begin(map);
stand.begin(map);
days.begin(map);
const resets = [live.begin(map), things.begin(map)];
search.begin(found => {
  live.setFollows(false, map);
  place.show(found);
});

ground.findWorld().then(async () => {
  credit.addAttribution(escaped('GSHHG (LGPL) · Natural Earth · GeoNames (CC BY 4.0)'));
  const names = await fetch('names.json');
  if (names.ok) labels.setWorld(await names.json());
}).catch(() => notice('land', t('noLand')));

on('about', async ([about]) => {
  await choose(about.locale, about.zone);
  name();
  if (about.app && !app) {
    app = await import('./app.js');
    await app.begin(map, labels, about.app);
  }
  place.setNotation(about.notation);
  pictures?.remove();
  pictures = null;
  labels.addTo(map);
  if (!about.tiles) return hint();
  // They have names of their own.
  labels.remove();
  pictures = L.tileLayer(about.tiles, {
    maxZoom: 19, attribution: escaped(about.attribution ?? new URL(about.tiles.replace('{s}', 'a')).hostname),
  }).addTo(map);
  hint();
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

map.on('click', ({ latlng, containerPoint }) => {
  const { lat, lng } = latlng.wrap();
  if (regions.isDrawing()) return regions.click([lat, lng]);
  const thing = app ? null : labels.hit(containerPoint);
  if (thing) showThing(thing);
  else showAddress(lat, lng);
});

map.on('contextmenu', ({ latlng }) => {
  if (app || regions.isDrawing()) return;
  const { lat, lng } = latlng.wrap();
  stand.open(lat, lng);
});

// A shop, a stop or another thing whose name is on the map.
function showThing({ name, local, kind, latitude, longitude }) {
  const words = [t(`is-${kind}`), local === name ? '' : local].filter(Boolean).join(' · ');
  place.showAddress(latitude, longitude, { title: name, extra: [element('p', { className: 'kind' }, words)] });
}

function showAddress(latitude, longitude) {
  if (app) return app.tap(latitude, longitude);
  place.showAddress(latitude, longitude, { extra: [row(
    button(t('regionHere'), () => regions.openAt(latitude, longitude)),
    stand.button(latitude, longitude))] });
}

map.on('dragstart away', () => app || live.setFollows(false, map));

const toggle = () => (app ? app.follow(!live.state.follows) : live.setFollows(!live.state.follows, map));
byID('follow').addEventListener('click', toggle);
byID('day').addEventListener('click', days.open);
byID('regions').addEventListener('click', regions.open);
byID('things').addEventListener('click', things.open);
byID('close').addEventListener('click', () => closeCard());
// The middle of the map is where a keyboard points.
byID('map').addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.target !== byID('map')) return;
  if (regions.isDrawing()) regions.click(view.middle());
  else showAddress(...view.middle());
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') closeCard();
  const isTyping = event.target.matches('input, select, textarea') || event.ctrlKey || event.altKey || event.metaKey;
  if (isTyping) return;
  if (event.key === '/') byID('query').focus();
  else if (event.key === 'f') toggle();
  else if (event.key === 'v') ways.stopInMiddle();
  else if (event.key === 'h' && !app && !regions.isDrawing()) stand.open(...view.middle());
  else return;
  event.preventDefault();
});

// The extracts that are imported: their ground, or their streets alone where they were imported by an older release.
// Null until the service of places has said them.
let extracts = null;
const owns = [];

async function showExtracts() {
  const { dataSets } = await ask('status', {}).catch(() => ({}));
  if (!dataSets) return;
  extracts = dataSets.filter(set => set.coverage);
  const bare = extracts.filter(set => set.lacks?.includes('ground'));
  ground.setCovered(extracts.filter(set => !bare.includes(set)).map(set => set.coverage), bare.map(set => set.coverage));
  for (const own of owns.splice(0)) credit.removeAttribution(escaped(own));
  owns.push(...new Set(extracts.map(set => set.attribution).filter(Boolean)));
  for (const own of owns) credit.addAttribution(escaped(own));
  pictures?.bringToFront();
  hint();
}

// Where no streets are, how they come.
function hint() {
  if (!extracts) return;
  const [lat, lng] = view.middle();
  const here = extracts.filter(({ coverage: [low, high] }) => lat >= low[0] && lat <= high[0] && lng >= low[1] && lng <= high[1]);
  const isBare = here.length && here.every(set => set.lacks?.includes('ground'));
  const isSaid = map.getZoom() >= 12 && !pictures && !app;
  notice('streets', !isSaid ? '' : isBare ? t('noGround', here[0].name) : here.length ? '' : t('noStreets'));
}

map.on('moveend', hint);

let lost = 0;
connect(() => {
  clearTimeout(lost);
  lost = 0;
  notice('parent', '');
  for (const part of resets) part.reset();
  showExtracts();
}, () => {
  // A server that ended may only have been slow.
  lost ||= setTimeout(() => notice('parent', t(app ? 'appGone' : 'gone')), 2000);
});

