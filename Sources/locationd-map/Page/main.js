// The page of the map, put together.

import { button, byID, closeCard, element, escaped, notice, row } from './dom.js';
import * as days from './days.js';
import { Ground } from './ground.js';
import { Labels } from './labels.js';
import * as live from './live.js';
import { ask, connect, on, once } from './parent.js';
import * as place from './place.js';
import * as regions from './regions.js';
import './search.js';
import { speak } from './speech.js';
import * as stand from './stand.js';
import * as things from './things.js';
import * as view from './view.js';
import * as ways from './ways.js';
import { list, nameOfKind, sentence, t } from './words.js';

await speak(navigator.language);
const { map, credit } = view;
const ground = new Ground(() => labels.later()).addTo(map).bringToBack();
const labels = new Labels(ground, () => [map.hasLayer(place.marker) && place.marker.getLatLng(), live.place()].filter(Boolean)).addTo(map);
let pictures;
// The part of an app's page, where it is one.
let app;

function name() {
  byID('query').placeholder = t('Search for a place');
  for (const [id, words] of [['query', 'Search for a place'], ['map', 'Map'], ['tools', 'Map'], ['close', 'Close']]) byID(id).ariaLabel = t(words);
  for (const [id, words] of [['follow', 'Follow'], ['day', 'Day'], ['regions', 'Regions'], ['things', 'Files']]) byID(id).textContent = t(words);
  view.label();
  labels.later();
}

name();
place.marker.on('add remove', () => labels.later());

ground.findWorld().then(async () => {
  credit.addAttribution(escaped('GSHHG (LGPL) · Natural Earth · GeoNames (CC BY 4.0)'));
  const names = await fetch('names.json');
  if (names.ok) labels.setWorld(await names.json());
}).catch(() => notice('land', t('No base map is on this disk. Install locationd-places-data, or run "make install-places-data".')));

on('about', async ([about]) => {
  if (about.locale) await speak(about.locale);
  name();
  if (about.app && !app) {
    app = await import('./app.js');
    await app.begin(labels, about.app);
  }
  place.setNotation(about.notation);
  pictures?.remove();
  pictures = about.tiles && L.tileLayer(about.tiles, {
    maxZoom: 19, attribution: escaped(about.attribution ?? new URL(about.tiles.replace('{s}', 'a')).hostname),
  }).addTo(map);
  // Pictures have names of their own.
  if (pictures) labels.remove();
  else labels.addTo(map);
  hint();
});

once('place', ([{ latitude, longitude }]) => {
  live.setFollows(false);
  map.setView([latitude, longitude], 15);
  showAddress(latitude, longitude);
});

function press(at, thing) {
  if (regions.isDrawing()) return regions.click(at);
  if (!thing) return showAddress(...at);
  const { name, local, kind, latitude, longitude } = thing;
  const words = list(nameOfKind(kind), local !== name && local);
  place.showAddress(latitude, longitude, { title: name, extra: [element('p', { className: 'kind' }, words)] });
}

const standAt = at => app || regions.isDrawing() || stand.open(...at);
map.on('click', ({ latlng, containerPoint }) => press(view.pair(latlng), app ? null : labels.hit(containerPoint)));
map.on('contextmenu', ({ latlng }) => standAt(view.pair(latlng)));

function showAddress(latitude, longitude) {
  if (app) return app.tap(latitude, longitude);
  place.showAddress(latitude, longitude, { extra: [row(
    button(t('Region here'), () => regions.openAt(latitude, longitude)),
    stand.offer(latitude, longitude))] });
}

map.on('dragstart arrow away', () => app || live.setFollows(false));

const toggle = () => (app ? app.follow(!live.state.follows) : live.setFollows(!live.state.follows));
for (const [id, onclick] of Object.entries({ follow: toggle, day: () => days.open(), regions: regions.open, things: things.open, close: () => closeCard() })) {
  byID(id).onclick = onclick;
}
// The middle of the map is where a keyboard points.
byID('map').onkeydown = ({ key, keyCode, target }) => {
  if (target !== byID('map')) return;
  if (key === 'Enter') press(view.middle());
  else if (keyCode in map.keyboard._panKeys) map.fire('arrow');
};
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') closeCard();
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches('input, select')) return;
  if (event.key === '/') byID('query').focus();
  else if (event.key === 'f') toggle();
  else if (event.key === 'v') ways.stopInMiddle();
  else if (event.key === 'h') standAt(view.middle());
  else return;
  event.preventDefault();
});

// Null until the service of places has said which there are.
let extracts = null;
const owns = [], isBare = ({ lacks }) => lacks?.includes('ground');

async function showExtracts() {
  const { dataSets } = await ask('status', {}).catch(() => ({}));
  if (!dataSets) return;
  extracts = dataSets.filter(set => set.coverage);
  ground.setCovered(extracts.filter(set => !isBare(set)), extracts.filter(isBare));
  for (const own of owns.splice(0)) credit.removeAttribution(escaped(own));
  owns.push(...new Set(extracts.map(set => set.attribution).filter(Boolean)));
  for (const own of owns) credit.addAttribution(escaped(own));
  pictures?.bringToFront();
  hint();
}

// Where no streets are, how they come.
function hint() {
  if (!extracts) return;
  const here = extracts.filter(({ coverage }) => L.latLngBounds(coverage).contains(view.middle()));
  const isSaid = map.getZoom() >= 12 && !pictures && !app && here.every(isBare);
  notice('streets', isSaid && (here.length ? t('Of {1} this disk has streets alone: "locationctl places import" it again for the whole map.', here[0].name) : t('No streets are here yet: "locationctl places import FILE.osm.pbf" adds them, from download.geofabrik.de.')));
}

map.on('moveend', hint);

let lost = 0;
connect(() => {
  clearTimeout(lost);
  lost = 0;
  notice('parent', '');
  live.reset();
  showExtracts();
}, () => {
  // A server that ended may only have been slow.
  lost ||= setTimeout(() => notice('parent', app ? t('The app has ended.') : sentence({ kind: 'gone' })), 2000);
});

