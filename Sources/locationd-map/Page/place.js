// The card of a place: its name, its address, and what can be done with it.

import { copying, element, openCard, row, say } from './dom.js';
import { ask } from './parent.js';
import { map, reveal, spot } from './view.js';
import * as ways from './ways.js';
import { coordinates, list, notations, sentence, t } from './words.js';

export const marker = spot('place');
let round = 0, notation = 0;

function tidy() {
  round++;
  marker.remove();
  ways.tidy();
}

export const nameOf = place => place.name ?? place.locality ?? place.inlandWater ?? place.ocean ?? t('A place without a name');

export function show(place, { moves = true, extra = [] } = {}) {
  const at = [place.latitude, place.longitude];
  const address = element('p', {}, place.formattedAddress?.replaceAll('\n', ', ') ?? '');
  openCard(nameOf(place), [address, ...share(at), ...extra, ...ways.offer(at, nameOf(place))], tidy);
  marker.setLatLng(at).addTo(map);
  if (moves) map.setView(at, Math.max(map.getZoom(), place.radius > 3000 ? 10 : 13));
  reveal(at);
  say(list(nameOf(place), place.formattedAddress));
  return address;
}

// The coordinates in the person's notation, to be copied as they stand, and as a geo: address (RFC 5870).
function share([latitude, longitude]) {
  const all = notations(latitude, longitude);
  const choice = element('select', { className: 'figures', ariaLabel: t('Notation'), onchange: () => { notation = choice.selectedIndex; } },
    ...all.map(text => element('option', {}, text)));
  choice.selectedIndex = notation;
  return [row(choice, ...copying(t('Copy'), () => all[notation])),
    row(...copying(t('Copy as geo: address'), () => `geo:${+latitude.toFixed(6)},${+longitude.toFixed(6)}`))];
}

export function setNotation(name) {
  notation = Math.max(0, ['decimal', 'minutes', 'seconds'].indexOf(name));
}

export async function showAddress(latitude, longitude, { title, subtitle, extra = [] } = {}) {
  const bare = { latitude, longitude, name: title ?? t('Looking up the address…'), formattedAddress: subtitle };
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
