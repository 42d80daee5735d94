// The search field, which completes.

import { byID, element, notice, say } from './dom.js';
import * as live from './live.js';
import { ask } from './parent.js';
import * as place from './place.js';
import { middle } from './view.js';
import { sentence, t } from './words.js';

const query = byID('query'), list = byID('found');
let timer = 0, round = 0, chosen = -1;

function close() {
  clearTimeout(timer);
  round++;
  list.replaceChildren();
  list.hidden = true;
  query.ariaExpanded = false;
  choose(-1);
}

function choose(index) {
  [...list.children].forEach((item, i) => { item.ariaSelected = i === index; });
  chosen = index;
  const item = list.children[chosen];
  item?.scrollIntoView({ block: 'nearest' });
  query.setAttribute('aria-activedescendant', item?.id ?? '');
}

// The letters that were typed stand out.
function title({ title, titleHighlights = [] }) {
  const parts = [];
  let from = 0;
  for (const [start, count] of titleHighlights) {
    parts.push(title.slice(from, start), element('b', {}, title.slice(start, start + count)));
    from = start + count;
  }
  return element('span', {}, ...parts, title.slice(from));
}

async function complete() {
  const text = query.value.trim();
  const own = ++round;
  if (!text) return close();
  try {
    const { completions } = await ask('complete', { text, near: middle(), limit: 8 });
    if (own !== round) return;
    notice('places', '');
    list.replaceChildren(...completions.map((completion, i) => element('li', {
      id: `found-${i}`, role: 'option', ariaSelected: 'false',
      onmousedown: event => event.preventDefault(), onclick: () => find({ id: completion.id }, completion.title),
    }, title(completion), element('small', {}, completion.subtitle ?? ''))));
    list.hidden = !completions.length;
    choose(-1);
    query.ariaExpanded = !list.hidden;
    say(completions.length ? t('{1} places found', completions.length) : t('No place of that name is known.'));
  } catch (error) {
    if (own !== round) return;
    close();
    if (error.kind !== 'gone') notice('places', sentence(error));
  }
}

async function find(what, title) {
  close();
  try {
    const { places } = await ask('search', { ...what, near: middle(), limit: 1 });
    if (!places.length) throw { kind: 'geocodeFoundNoResult' };
    if (title) query.value = title;
    notice('places', '');
    live.setFollows(false);
    place.show(places[0]);
  } catch (error) {
    if (error.kind !== 'gone') notice('places', error.kind === 'geocodeFoundNoResult' ? t('No place of that name is known.') : sentence(error));
  }
}

query.oninput = () => {
  clearTimeout(timer);
  timer = setTimeout(complete, 120);
};
query.onkeydown = event => {
  const count = list.children.length;
  if (event.key === 'ArrowDown' && count) choose((chosen + 1) % count);
  else if (event.key === 'ArrowUp' && count) choose(chosen > 0 ? chosen - 1 : count - 1);
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
};
query.onblur = close;
byID('search').onsubmit = event => {
  event.preventDefault();
  const text = query.value.trim();
  if (chosen >= 0) list.children[chosen].click();
  else if (text) find({ text });
};
// A quick person has typed.
if (query.value) complete();
