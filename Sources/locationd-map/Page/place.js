// A place that was searched for, selected or clicked: its name, its address, and the way there.

import { element, openCard, say } from './dom.js';
import { state } from './live.js';
import { ask } from './parent.js';
import { coordinates, duration, length, sentence, t } from './words.js';

let map, marker, line;
let round = 0;

export function begin(theMap) {
  map = theMap;
  marker = L.circleMarker([0, 0], { pane: 'self', renderer: L.svg({ pane: 'self' }), radius: 8, className: 'place' });
}

function tidy() {
  round++;
  marker.remove();
  line?.remove();
  line = null;
}

const nameOf = place => place.name ?? place.locality ?? place.inlandWater ?? place.ocean ?? t('unnamed');

// Shows a place that is known; `extra` are elements for it.
export function show(place, { moves = true, extra = [] } = {}) {
  const at = [place.latitude, place.longitude];
  const address = element('p', {}, place.formattedAddress?.replaceAll('\n', ', ') ?? '');
  openCard(nameOf(place), [address, element('p', { className: 'figures' }, coordinates(...at)), share(at), ...extra, ...ways(at)], tidy);
  marker.setLatLng(at).addTo(map);
  if (moves) map.setView(at, Math.max(map.getZoom(), place.radius > 3000 ? 10 : 13));
  say([nameOf(place), place.formattedAddress].filter(Boolean).join(', '));
  return address;
}

// A geo: address (RFC 5870), to be handed on. Where the browser copies nothing, it can be selected.
function share([latitude, longitude]) {
  const address = `geo:${+latitude.toFixed(6)},${+longitude.toFixed(6)}`;
  const answer = element('small', { role: 'status' });
  const button = element('button', { type: 'button', onclick: async () => {
    const isCopied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    answer.textContent = isCopied ? t('copied', address) : address;
  } }, t('copy'));
  return element('div', { className: 'row' }, button, answer);
}

// Looks up what is at a place on the map.
export async function showAddress(latitude, longitude, { title, subtitle, extra = [] } = {}) {
  const bare = { latitude, longitude, name: title ?? t('address'), formattedAddress: subtitle };
  const address = show(bare, { moves: false, extra });
  if (subtitle) return;
  const own = ++round;
  try {
    const { placemarks } = await ask('reverseGeocode', { latitude, longitude });
    if (own !== round) return;
    const place = { ...placemarks[0], latitude, longitude };
    if (title) {
      address.textContent = place.formattedAddress ?? nameOf(place);
    } else {
      show(place, { moves: false, extra });
    }
  } catch (error) {
    if (own !== round) return;
    if (!title) show({ ...bare, name: coordinates(latitude, longitude) }, { moves: false, extra });
    if (error.kind !== 'gone') document.querySelector('#content p').textContent = sentence(error);
  }
}

function ways(to) {
  const answer = element('div', { className: 'way' });
  const buttons = ['automobile', 'walking', 'cycling'].map(transport => element('button', {
    type: 'button', onclick: () => find(to, transport, answer),
  }, t(transport)));
  return [
    element('h3', {}, t('wayTo')), element('small', {}, t('wayFrom')),
    element('div', { className: 'row', role: 'group', 'aria-label': t('wayTo') }, ...buttons), answer,
  ];
}

async function find(to, transport, answer) {
  if (!state.position) return answer.replaceChildren(t('noStart'));
  const own = ++round;
  answer.replaceChildren(t('searching'));
  try {
    const from = [state.position.latitude, state.position.longitude];
    const { routes, attribution } = await ask('directions', { from, to, transport });
    if (own !== round) return;
    const route = routes[0];
    line?.remove();
    line = L.polyline(route.polyline, { color: '#1d4ed8', weight: 5, opacity: 0.8, interactive: false }).addTo(map);
    map.fitBounds(line.getBounds(), { padding: [40, 40] });
    const whole = t('way', length(route.distance), duration(route.expectedTravelTime));
    answer.replaceChildren(
      element('p', { className: 'figures' }, whole),
      element('ol', {}, ...route.steps.filter(step => step.instructions).map(step =>
        element('li', {}, step.instructions, ' ', element('small', {}, length(step.distance))))),
      ...(route.advisories ?? []).map(text => element('p', {}, text)),
      element('small', {}, attribution ?? '© OpenStreetMap contributors, ODbL'));
    say(whole);
  } catch (error) {
    if (own === round) answer.replaceChildren(sentence(error));
  }
}
