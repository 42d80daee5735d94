// Sentences are English ones in the scripts; phrases.txt has them in other languages.

import { language, said as t, timeZone } from './speech.js';

export { t };

// An error of the parent's is one of these, with its text, or has a sentence of its own.
const errors = {
  gone: 'locationctl has ended. Run "locationctl map" again, and open its new page.',
  noFix: 'No position yet. {1}', denied: 'This map may not know where the machine is. {1}',
  noDaemon: 'The position is unknown, since locationd does not run. {1}', refused: 'The position is unknown. {1}',
  daemonGone: 'locationd has gone; the map tries again. {1}',
  noPlaces: 'Places cannot be found. {1}', noTracker: 'The track cannot be read. {1}',
};
export const sentence = ({ kind, text }) => (errors[kind] ? t(errors[kind], text) : text || t('That did not work.'));

// Things on the map, and parts of a day.
const kinds = {
  station: 'Station', airport: 'Airport', hospital: 'Hospital', gardens: 'Park', peak: 'Peak', museum: 'Culture', college: 'School',
  hotel: 'Hotel', shop: 'Shop', food: 'Food and drink', health: 'Pharmacy', stop: 'Stop', other: 'Facility',
  trip: 'Trip', stay: 'Stay', gap: 'Nothing recorded',
};
export const nameOfKind = kind => t(kinds[kind]);

export const list = (...parts) => parts.filter(Boolean).join(' · ');

export const length = metres =>
  metres < 1000 ? `${Math.round(metres)} m`
    : `${(metres / 1000).toFixed(metres < 100_000 ? 1 : 0)} km`;

export function duration(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? t('{1} min', minutes) : t('{1} h {2} min', Math.floor(minutes / 60), minutes % 60);
}

export const today = () => new Date().toLocaleDateString('sv', { timeZone });

export const clock = (date, withDay = false) => new Date(date).toLocaleString(language,
  { timeZone, hour: '2-digit', minute: '2-digit', ...(withDay ? { month: 'short', day: 'numeric' } : {}) });

export const coordinates = (latitude, longitude) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

// A place as people write it: degrees; degrees and minutes; degrees, minutes and seconds.
export function notations(latitude, longitude) {
  const text = (value, letters, isLong) => {
    // In tenths of a second, or thousandths of a minute: no minute has 60 seconds.
    const degree = isLong ? 36_000 : 60_000, all = Math.round(Math.abs(value) * degree), rest = all % degree;
    const minutes = isLong ? `${Math.floor(rest / 600)}′${(rest % 600 / 10).toFixed(1)}″` : `${(rest / 1000).toFixed(3)}′`;
    return `${(all - rest) / degree}°${minutes}${letters[value < 0 ? 1 : 0]}`;
  };
  return [coordinates(latitude, longitude), ...[false, true].map(isLong => `${text(latitude, 'NS', isLong)} ${text(longitude, 'EW', isLong)}`)];
}
