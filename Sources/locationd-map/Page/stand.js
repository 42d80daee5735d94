// Where this computer stands, by the word of the person: asked first, as every program is told then.

import { button as press, element, openCard, row, say } from './dom.js';
import { wish } from './parent.js';
import { spot } from './view.js';
import { coordinates, sentence, t } from './words.js';

let map, marker;

export function begin(theMap) {
  map = theMap;
  marker = spot('place');
}

// Asks whether the computer stands there.
export function open(latitude, longitude) {
  marker.setLatLng([latitude, longitude]).addTo(map);
  const answer = element('p', { role: 'status' });
  const yes = press(t('standsYes'), () => set(latitude, longitude, yes, answer));
  openCard(t('standsHere'), [
    element('p', {}, t('standsMeaning')), element('p', { className: 'figures' }, coordinates(latitude, longitude)),
    row(yes), answer,
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
  press(t('standsHere'), () => open(latitude, longitude));
