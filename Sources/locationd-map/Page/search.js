// The search field, which completes.

import { byID, element, notice, say } from './dom.js';
import { ask } from './parent.js';
import { middle } from './view.js';
import { sentence, t } from './words.js';

// `show(place)`: a place was chosen.
export function begin(show) {
  const query = byID('query'), list = byID('found');
  let timer = 0, round = 0, chosen = -1;

  function close() {
    list.hidden = true;
    list.replaceChildren();
    chosen = -1;
    query.setAttribute('aria-expanded', 'false');
    query.removeAttribute('aria-activedescendant');
  }

  function choose(index) {
    list.children[chosen]?.setAttribute('aria-selected', 'false');
    chosen = index;
    const item = list.children[chosen];
    item?.setAttribute('aria-selected', 'true');
    item?.scrollIntoView({ block: 'nearest' });
    if (item) query.setAttribute('aria-activedescendant', item.id);
    else query.removeAttribute('aria-activedescendant');
  }

  // The letters that were typed stand out.
  function title({ title, titleHighlights = [] }) {
    const letters = [...title];
    const parts = [];
    let from = 0;
    for (const [start, count] of titleHighlights) {
      parts.push(letters.slice(from, start).join(''), element('b', {}, letters.slice(start, start + count).join('')));
      from = start + count;
    }
    return element('span', {}, ...parts, letters.slice(from).join(''));
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
        id: `found-${i}`, role: 'option', 'aria-selected': 'false',
        onmousedown: event => event.preventDefault(), onclick: () => find({ id: completion.id }, completion.title),
      }, title(completion), element('small', {}, completion.subtitle ?? ''))));
      list.hidden = !completions.length;
      chosen = -1;
      query.setAttribute('aria-expanded', String(!list.hidden));
      say(completions.length ? t('found', completions.length) : t('nothing'));
    } catch (error) {
      if (own !== round) return;
      close();
      if (error.kind !== 'gone') notice('places', sentence(error));
    }
  }

  async function find(what, title) {
    round++;
    close();
    try {
      const { places } = await ask('search', { ...what, near: middle(), limit: 1 });
      if (!places.length) throw { kind: 'nothing' };
      if (title) query.value = title;
      notice('places', '');
      show(places[0]);
    } catch (error) {
      const isNone = error.kind === 'nothing' || error.kind === 'geocodeFoundNoResult';
      if (error.kind !== 'gone') notice('places', isNone ? t('nothing') : sentence(error));
    }
  }

  query.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(complete, 120);
  });
  query.addEventListener('keydown', event => {
    const count = list.children.length;
    if (event.key === 'ArrowDown' && count) choose((chosen + 1) % count);
    else if (event.key === 'ArrowUp' && count) choose(chosen > 0 ? chosen - 1 : count - 1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  query.addEventListener('blur', () => setTimeout(close, 150));
  byID('search').addEventListener('submit', event => {
    event.preventDefault();
    clearTimeout(timer);
    const text = query.value.trim();
    if (chosen >= 0) list.children[chosen].click();
    else if (text) find({ text });
  });
  // Somebody quick has typed before all of the page was there.
  if (query.value) complete();
}
