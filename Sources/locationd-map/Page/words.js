// What the page says, in English and Korean.

const words = {
  en: {
    search: 'Search for a place', map: 'Map', close: 'Close', follow: 'Follow', day: 'Day',
    regions: 'Regions', things: 'Files', accuracy: 'to within {0}', speed: '{0} km/h',
    found: '{0} places found', nothing: 'No place of that name is known.',
    moved: 'Position: {0}', noFix: 'No position yet. {0}',
    denied: 'This map may not know where the machine is. {0}',
    noDaemon: 'The position is unknown, since locationd does not run. {0}',
    refused: 'The position is unknown. {0}', daemonGone: 'locationd has gone; the map tries again. {0}',
    gone: 'locationctl has ended. Run "locationctl map" again, and open its new page.',
    appGone: 'The app has ended.',
    noLand: 'No base map is on this disk. Install locationd-places-data, or run "make install-places-data".',
    noStreets: 'No streets are here yet: "locationctl places import FILE.osm.pbf" adds them, from download.geofabrik.de.',
    noGround: 'Of {0} this disk has streets alone: "locationctl places import" it again for the whole map.',
    'is-station': 'Station', 'is-airport': 'Airport', 'is-hospital': 'Hospital', 'is-gardens': 'Park', 'is-peak': 'Peak',
    'is-museum': 'Culture', 'is-college': 'School', 'is-hotel': 'Hotel', 'is-shop': 'Shop', 'is-food': 'Food and drink',
    'is-health': 'Pharmacy', 'is-stop': 'Stop', 'is-other': 'Service',
    noPlaces: '{0}', noTracker: '{0}', failed: 'That did not work.',
    address: 'Looking up the address…', unnamed: 'A place without a name', wayTo: 'The way there',
    wayFrom: 'from the position of this machine', automobile: 'By car', walking: 'On foot',
    cycling: 'By bicycle', noStart: 'A way from here needs a position.', searching: 'Searching for a way…',
    way: '{0}, {1}', minutes: '{0} min', hours: '{0} h {1} min', newRegion: 'New region',
    regionName: 'Name', radius: 'Radius in metres', circle: 'Circle', polygon: 'Polygon',
    drawCircle: 'Click the map where the middle is.',
    drawPolygon: 'Click each corner on the map, three or more.', register: 'Register',
    remove: 'Remove', noRegions: 'No region is registered for this program.', inside: 'inside',
    outside: 'outside', unknown: 'unknown', entered: 'Entered {0}', left: 'Left {0}', show: 'Show',
    middle: 'Use the middle of the map', undo: 'Undo', isRegistered: '{0} is registered.',
    whichDay: 'Day', until: 'until', showDay: 'Show the track', noTrack: 'Nothing was recorded on that day.',
    dayShown: '{0}: {1}, {2} on the way, stays: {3}, {4} points', dayCut: 'Only the first {0} points are drawn.',
    'is-trip': 'Trip', 'is-stay': 'Stay', 'is-gap': 'Nothing recorded', start: 'Start, {0}', end: 'End, {0}', moment: 'Time',
    play: 'Play', pause: 'Pause', upTo: 'up to {0} km/h', climb: '{0} up', drawUp: 'Draw the card up', drawDown: 'Draw the card down',
    waysFound: '{0} ways', stopHere: 'Stop in the middle of the map', noStops: 'Without stops', stop: 'Stop; Enter removes it',
    copyWay: 'Copy the way', toFile: 'To a file', notation: 'Notation', copyCoordinates: 'Copy',
    stay: 'Stayed from {0} to {1}', arrived: 'Arrived {0}',
    visitsNote: 'Visits are not shown. {0}', unread: '{0} is neither GeoJSON, GPX nor rows with places.',
    thingsShown: '{0}: {1}', others: 'other', cluster: '{0} places', regionHere: 'Region here',
    credit: 'GSHHG (LGPL) · Natural Earth · GeoNames (CC BY 4.0)', reading: 'Reading the track…',
    wifiPlace: 'by Wi-Fi networks', serverPlace: 'by a server’s word of Wi-Fi networks',
    cellPlace: 'by a server’s word of the mobile cell',
    setPlace: 'the set place', lastPlace: 'the last place', zonePlace: 'the time zone’s city',
    standsHere: 'This computer stands here',
    standsMeaning: 'Programs that may know the location are told this place while nothing better is received.',
    standsYes: 'Yes, it stands here', standsAsking: 'Asking for permission…', standsDone: 'This computer stands here now.',
    copy: 'Copy as geo: address', copied: 'Copied: {0}', simulated: 'simulated',
  },
  ko: {
    search: '장소 검색', map: '지도', close: '닫기', follow: '따라가기', day: '날짜',
    regions: '지역', things: '파일', accuracy: '오차 {0}', speed: '시속 {0} km',
    found: '장소 {0}곳', nothing: '그런 이름의 장소를 모릅니다.',
    moved: '위치: {0}', noFix: '아직 위치를 모릅니다. {0}',
    denied: '이 지도는 기기의 위치를 알 수 없습니다. 허용이 필요합니다. {0}',
    noDaemon: 'locationd가 실행되고 있지 않아 위치를 모릅니다. {0}',
    refused: '위치를 모릅니다. {0}', daemonGone: 'locationd가 끝났습니다. 다시 연결합니다. {0}',
    gone: 'locationctl이 끝났습니다. "locationctl map"을 다시 실행하고 새 주소를 여십시오.',
    appGone: '앱이 끝났습니다.',
    noLand: '이 디스크에 기본 지도가 없습니다. locationd-places-data를 설치하십시오.',
    noStreets: '이곳의 거리는 아직 없습니다. "locationctl places import FILE.osm.pbf" (download.geofabrik.de)',
    noGround: '{0}은(는) 거리만 있습니다. "locationctl places import"로 다시 가져오십시오.',
    'is-station': '역', 'is-airport': '공항', 'is-hospital': '병원', 'is-gardens': '공원', 'is-peak': '산',
    'is-museum': '문화', 'is-college': '학교', 'is-hotel': '호텔', 'is-shop': '가게', 'is-food': '음식점',
    'is-health': '약국', 'is-stop': '정류장', 'is-other': '시설',
    noPlaces: '장소를 찾을 수 없습니다. {0}', noTracker: '기록을 읽을 수 없습니다. {0}',
    failed: '되지 않았습니다.', address: '주소를 찾는 중…', unnamed: '이름 없는 장소',
    wayTo: '길찾기', wayFrom: '이 기기의 위치에서', automobile: '자동차', walking: '도보',
    cycling: '자전거', noStart: '길을 찾으려면 현재 위치가 있어야 합니다.', searching: '길을 찾는 중…',
    minutes: '{0}분', hours: '{0}시간 {1}분', newRegion: '새 지역',
    regionName: '이름', radius: '반지름(미터)', circle: '원', polygon: '다각형',
    drawCircle: '지도에서 가운데를 누르십시오.', drawPolygon: '지도에서 꼭짓점을 세 곳 이상 누르십시오.',
    register: '등록', remove: '삭제', noRegions: '이 프로그램에 등록된 지역이 없습니다.', inside: '안',
    outside: '밖', unknown: '모름', entered: '{0}에 들어왔습니다', left: '{0}에서 나갔습니다', show: '보기',
    middle: '지도 가운데 쓰기', undo: '되돌리기', isRegistered: '{0} 등록됨', whichDay: '날짜', until: '까지',
    showDay: '이동 경로 보기', noTrack: '그날의 기록이 없습니다.',
    dayShown: '{0}: {1}, 이동 {2}, 머문 곳 {3}곳, 점 {4}개', dayCut: '처음 {0}개의 점만 그립니다.',
    'is-trip': '이동', 'is-stay': '머묾', 'is-gap': '기록 없음', start: '출발 {0}', end: '도착 {0}', moment: '시각',
    play: '재생', pause: '멈춤', upTo: '최고 시속 {0} km', climb: '오르막 {0}', drawUp: '카드 올리기', drawDown: '카드 내리기',
    waysFound: '경로 {0}개', stopHere: '지도 가운데를 경유', noStops: '경유지 없이', stop: '경유지, Enter로 삭제',
    copyWay: '경로 복사', toFile: '파일로 저장', notation: '표기', copyCoordinates: '복사',
    stay: '{0}부터 {1}까지 머묾', arrived: '{0} 도착',
    visitsNote: '방문은 보이지 않습니다. {0}', unread: '{0}: GeoJSON도 GPX도 장소의 행도 아닙니다.',
    others: '기타', cluster: '장소 {0}곳', regionHere: '여기에 지역',
    reading: '기록을 읽는 중…',
    wifiPlace: 'Wi-Fi로', serverPlace: '서버가 아는 Wi-Fi로', cellPlace: '서버가 아는 기지국으로',
    setPlace: '설정한 위치', lastPlace: '마지막 위치', zonePlace: '시간대의 도시',
    standsHere: '이 컴퓨터는 여기에 있음',
    standsMeaning: '더 나은 위치를 받지 못하는 동안, 위치를 알 수 있는 프로그램에 이곳을 알려 줍니다.',
    standsYes: '예, 여기에 있습니다', standsAsking: '허용을 묻는 중…', standsDone: '이제 이 컴퓨터는 여기에 있습니다.',
    copy: 'geo: 주소로 복사', copied: '복사됨: {0}', simulated: '모의',
  },
};

let timeZone;
let language = navigator.language?.startsWith('ko') ? 'ko' : 'en';

export function choose(locale, named) {
  try {
    // A browser on another computer may be elsewhere, or not know the zone.
    new Intl.DateTimeFormat(undefined, { timeZone: named });
    timeZone = named;
  } catch { timeZone = undefined; }
  if (locale) language = /^ko\b/i.test(locale.replace('_', '-')) ? 'ko' : 'en';
  document.documentElement.lang = language;
}

export const isKorean = () => language === 'ko';

export const t = (key, ...values) =>
  (words[language][key] ?? words.en[key] ?? key)
    .replace(/\{(\d)\}/g, (_, i) => values[i] ?? '').trim();

// An error of the parent's, as a sentence.
export const sentence = error =>
  error.kind in words.en && error.kind !== 'failed' ? t(error.kind, error.text) : error.text || t('failed');

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
