// Where this computer stands, by the word of the person: asked first, as every program is told then.

import { button, element, openCard, row, say, status } from './dom.js';
import { wish } from './parent.js';
import { map, spot } from './view.js';
import { coordinates, sentence, t } from './words.js';

const marker = spot('place');

export function open(latitude, longitude) {
  marker.setLatLng([latitude, longitude]).addTo(map);
  const answer = status();
  const yes = button(t('Yes, it stands here'), () => set(latitude, longitude, yes, answer));
  openCard(t('This computer stands here'), [
    element('p', {}, t('Programs that may know the location are told this place while nothing better is received.')), element('p', { className: 'figures' }, coordinates(latitude, longitude)),
    row(yes), answer,
  ], () => marker.remove());
}

async function set(latitude, longitude, yes, answer) {
  yes.disabled = true;
  answer.textContent = t('Asking for permission…');
  try {
    await wish({ stand: { latitude, longitude } });
    answer.textContent = t('This computer stands here now.');
  } catch (error) {
    yes.disabled = false;
    answer.textContent = sentence(error);
  }
  say(answer.textContent);
}

export const offer = (latitude, longitude) =>
  button(t('This computer stands here'), () => open(latitude, longitude));
