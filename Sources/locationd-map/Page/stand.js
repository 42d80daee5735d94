// Where this computer stands, by the word of the person: asked first, as every program is told then.

import { element, openCard, say } from './dom.js';
import { wish } from './parent.js';
import { coordinates, sentence, t } from './words.js';

let map, marker;

export function begin(theMap) {
  map = theMap;
  marker = L.circleMarker([0, 0], { pane: 'self', renderer: L.svg({ pane: 'self' }), radius: 8, className: 'place' });
}

// Asks whether the computer stands there.
export function open(latitude, longitude) {
  marker.setLatLng([latitude, longitude]).addTo(map);
  const answer = element('p', { role: 'status' });
  const yes = element('button', { type: 'button', onclick: () => set(latitude, longitude, yes, answer) }, t('standsYes'));
  openCard(t('standsHere'), [
    element('p', {}, t('standsMeaning')), element('p', { className: 'figures' }, coordinates(latitude, longitude)),
    element('div', { className: 'row' }, yes), answer,
  ], () => marker.remove());
}

async function set(latitude, longitude, button, answer) {
  button.disabled = true;
  answer.textContent = t('standsAsking');
  try {
    await wish({ stand: { latitude, longitude } });
    answer.textContent = t('standsDone');
  } catch (error) {
    button.disabled = false;
    answer.textContent = sentence(error);
  }
  say(answer.textContent);
}

// A button of a card about a place.
export const button = (latitude, longitude) =>
  element('button', { type: 'button', onclick: () => open(latitude, longitude) }, t('standsHere'));
