// The language of the person: of sentences, by the English ones, and of names on the map.

import { on } from './parent.js';

// The page's: English where it has no sentences in the person's own.
export let language = 'en', own = 'en';
let sentences = {};
// The machine's: a browser on another computer may be elsewhere, or not know the zone.
export let timeZone;

on('zone', ([named]) => {
  try {
    Intl.DateTimeFormat(undefined, { timeZone: timeZone = named });
  } catch { timeZone = undefined; }
});

// `tag`: as ko_KR. The sentences of a language come when it is first spoken.
export async function speak(tag) {
  const wanted = /^[a-z]{2}(?![a-z])/.exec(tag.toLowerCase())?.[0] ?? 'en';
  if (wanted !== own) {
    sentences = wanted === 'en' ? {} : await fetch(`phrases/${wanted}`).then(answer => answer.json()).catch(() => ({}));
    own = wanted;
    language = Object.keys(sentences).length ? own : 'en';
  }
  document.documentElement.lang = language;
}

// A sentence, with {1} and {2} put in.
export const said = (english, ...values) =>
  (sentences[english] ?? english).replace(/\{(\d)\}/g, (_, i) => values[i - 1] ?? '').trim();

// The name in the person's language where there is one, of the names that a tile has.
export const written = names => names.find((name, i) => i > 1 && name.startsWith(own))?.slice(2) || names[0];
