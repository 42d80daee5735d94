// The sentences of the page in English; phrases.txt has other languages.

import { language, said, speak } from './speech.js';

const words = {
  search: 'Search for a place', map: 'Map', close: 'Close', follow: 'Follow', day: 'Day',
  regions: 'Regions', things: 'Files', accuracy: 'to within {1}', speed: '{1} km/h',
  found: '{1} places found', nothing: 'No place of that name is known.',
  moved: 'Position: {1}', noFix: 'No position yet. {1}',
  denied: 'This map may not know where the machine is. {1}',
  noDaemon: 'The position is unknown, since locationd does not run. {1}',
  refused: 'The position is unknown. {1}', daemonGone: 'locationd has gone; the map tries again. {1}',
  gone: 'locationctl has ended. Run "locationctl map" again, and open its new page.',
  appGone: 'The app has ended.',
  noLand: 'No base map is on this disk. Install locationd-places-data, or run "make install-places-data".',
  noStreets: 'No streets are here yet: "locationctl places import FILE.osm.pbf" adds them, from download.geofabrik.de.',
  noGround: 'Of {1} this disk has streets alone: "locationctl places import" it again for the whole map.',
  'is-station': 'Station', 'is-airport': 'Airport', 'is-hospital': 'Hospital', 'is-gardens': 'Park', 'is-peak': 'Peak',
  'is-museum': 'Culture', 'is-college': 'School', 'is-hotel': 'Hotel', 'is-shop': 'Shop', 'is-food': 'Food and drink',
  'is-health': 'Pharmacy', 'is-stop': 'Stop', 'is-other': 'Facility',
  noPlaces: 'Places cannot be found. {1}', noTracker: 'The track cannot be read. {1}', failed: 'That did not work.',
  address: 'Looking up the address…', unnamed: 'A place without a name', wayTo: 'The way there',
  wayFrom: 'from the position of this machine', automobile: 'By car', walking: 'On foot',
  cycling: 'By bicycle', noStart: 'A way from here needs a position.', searching: 'Searching for a way…',
  minutes: '{1} min', hours: '{1} h {2} min', newRegion: 'New region',
  regionName: 'Name', radius: 'Radius in metres', circle: 'Circle', polygon: 'Polygon',
  drawCircle: 'Click the map where the middle is.',
  drawPolygon: 'Click each corner on the map, three or more.', register: 'Register',
  remove: 'Remove', noRegions: 'No region is registered for this program.', inside: 'inside',
  outside: 'outside', unknown: 'unknown', entered: 'Entered {1}', left: 'Left {1}', show: 'Show',
  middle: 'Use the middle of the map', undo: 'Undo', isRegistered: '{1} is registered.',
  whichDay: 'Day', until: 'until', showDay: 'Show the track', noTrack: 'Nothing was recorded on that day.',
  dayShown: '{1}: {2}, {3} on the way, stays: {4}, {5} points', dayCut: 'Only the first {1} points are drawn.',
  'is-trip': 'Trip', 'is-stay': 'Stay', 'is-gap': 'Nothing recorded', start: 'Start, {1}', end: 'End, {1}', moment: 'Time',
  play: 'Play', pause: 'Pause', upTo: 'up to {1} km/h', climb: '{1} up', drawUp: 'Draw the card up', drawDown: 'Draw the card down',
  waysFound: '{1} ways', stopHere: 'Stop in the middle of the map', noStops: 'Without stops', stop: 'Stop; Enter removes it',
  copyWay: 'Copy the way', toFile: 'To a file', notation: 'Notation', copyCoordinates: 'Copy',
  stay: 'Stayed from {1} to {2}', arrived: 'Arrived {1}',
  visitsNote: 'Visits are not shown. {1}', unread: '{1} is neither GeoJSON, GPX nor rows with places.',
  others: 'other', cluster: '{1} places', regionHere: 'Region here',
  reading: 'Reading the track…',
  wifiPlace: 'by Wi-Fi networks', serverPlace: 'by a server’s word of Wi-Fi networks',
  cellPlace: 'by a server’s word of the mobile cell',
  setPlace: 'the set place', lastPlace: 'the last place', zonePlace: 'the time zone’s city',
  standsHere: 'This computer stands here',
  standsMeaning: 'Programs that may know the location are told this place while nothing better is received.',
  standsYes: 'Yes, it stands here', standsAsking: 'Asking for permission…', standsDone: 'This computer stands here now.',
  copy: 'Copy as geo: address', copied: 'Copied: {1}', simulated: 'simulated',
};

let timeZone;

export async function choose(locale, named) {
  try {
    // A browser on another computer may be elsewhere, or not know the zone.
    new Intl.DateTimeFormat(undefined, { timeZone: named });
    timeZone = named;
  } catch { timeZone = undefined; }
  if (locale) await speak(locale);
}

export const t = (key, ...values) => said(words[key] ?? key, ...values);

// An error of the parent's, as a sentence.
export const sentence = error =>
  error.kind in words && error.kind !== 'failed' ? t(error.kind, error.text) : error.text || t('failed');

export const length = metres =>
  metres < 1000 ? `${Math.round(metres)} m`
    : `${(metres / 1000).toFixed(metres < 100_000 ? 1 : 0)} km`;

export function duration(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? t('minutes', minutes) : t('hours', Math.floor(minutes / 60), minutes % 60);
}

export const today = () => new Date().toLocaleDateString('sv', { timeZone });

export const clock = (date, withDay = false) => new Date(date).toLocaleString(language,
  { timeZone, hour: '2-digit', minute: '2-digit', ...(withDay ? { month: 'short', day: 'numeric' } : {}) });

export const coordinates = (latitude, longitude) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

// A place as people write it: degrees; degrees and minutes; degrees, minutes and seconds.
export function notations(latitude, longitude) {
  const text = (value, [plus, minus], isLong) => {
    // In tenths of a second, or thousandths of a minute: no minute has 60 seconds.
    const all = Math.round(Math.abs(value) * (isLong ? 36_000 : 60_000)), degree = isLong ? 36_000 : 60_000;
    const rest = all % degree, degrees = Math.floor(all / degree);
    const minutes = isLong ? `${Math.floor(rest / 600)}′${(rest % 600 / 10).toFixed(1)}″` : `${(rest / 1000).toFixed(3)}′`;
    return `${degrees}°${minutes}${value < 0 ? minus : plus}`;
  };
  return [coordinates(latitude, longitude), ...[false, true].map(isLong => `${text(latitude, 'NS', isLong)} ${text(longitude, 'EW', isLong)}`)];
}
