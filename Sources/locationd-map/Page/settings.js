// The page of settings: who may know the place, who was told it, and the person's pause.

import { connect, wish } from './parent.js';
import { button, byID, element, row } from './dom.js';
import { said, speak, timeZone } from './speech.js';

const words = {
  title: 'Location', on: 'Programs are told the place as far as they may know it.', off: 'Location is off for all programs.',
  paused: 'Location is paused for your programs until {1}.', goOn: 'Services of this machine go on:', stops: '{1}: “{2}” stops it.', pause: 'Pause for an hour', resume: 'Resume',
  turnOff: 'Turn off for all', turnOn: 'Turn on', whenInUse: 'While in use', always: 'Always', denied: 'Never',
  notDetermined: 'Ask', restricted: 'Fixed by the administrator', full: 'exactly', reduced: 'roughly', may: 'May know the place',
  exact: 'Exactness', enter: 'Enter decides, Escape keeps it as it was.', never: 'never used', last: 'last use {1}', by: 'decided by: {1}', person: 'a person', administrator: 'an administrator',
  policy: 'a rule', days: 'The last 30 days: {1} on {2}', accesses: ['{1} access', '{1} accesses'], onDays: ['{1} day', '{1} days'], calls: 'It calls itself “{1}”.', says: 'It says: “{1}”',
  none: 'No program has asked for the place yet.', detail: 'Each day', day: 'Day', from: 'From', to: 'To', times: 'Times', service: 'Service',
  behind: 'in the background', forget: 'Forget the history', asking: 'Asking for permission…', gone: 'locationctl has ended. Run “locationctl settings” again.',
  sources: 'Sources', failed: 'That did not work.', doctor: 'What doctor says', ok: 'Well', advice: 'Advice', trouble: 'Trouble',
  tryNow: 'Try the receivers', trying: 'The receivers are tried, for three seconds at most…', tried: 'The receivers were tried.',
  closed: 'nobody needs it now', resting: 'resting', waiting: 'no fix yet', running: 'gives fixes', failing: 'cannot be read',
};
const language = new URLSearchParams(location.search).get('lang') ?? navigator.language;
await speak(language);
// Refusals come in the page's language.
const ask = (question, of) => wish({ ask: question, of, language });
const text = (key, ...values) => said(words[key] ?? key, ...values);
const count = (key, number) => said(words[key][number === 1 ? 0 : 1], number);
const clock = date => new Date(date).toLocaleString(language, { dateStyle: 'short', timeStyle: 'short', timeZone });
const time = date => new Date(date).toLocaleTimeString(language, { timeStyle: 'short', timeZone });
const levels = ['authorizedWhenInUse', 'authorizedAlways', 'denied', 'notDetermined'];
const levelWords = { authorizedWhenInUse: 'whenInUse', authorizedAlways: 'always', denied: 'denied', notDetermined: 'notDetermined', restricted: 'restricted' };

function notice(message) {
  byID('notice').textContent = message;
  byID('notice').hidden = !message;
}

// Asks the daemon to change something, and loads the page again. The desktop may ask for a password meanwhile.
async function change(method, of = {}) {
  notice(text('asking'));
  try {
    await ask(method, of);
    notice('');
  } catch (error) {
    notice(error.text || text('failed'));
  }
  await load();
}

// Draws parts of the page anew: the focus stays where it was, and so do the lists that are open.
function redraw(draw) {
  const focused = document.activeElement?.id;
  const open = [...document.querySelectorAll('details[open]')].map(one => one.id);
  draw();
  for (const id of open) if (byID(id)) byID(id).open = true;
  if (focused && document.activeElement?.id !== focused) (byID(focused) ?? byID('title')).focus({ preventScroll: true });
}

let pauseEnd;

function showState(status) {
  const pause = status.pause;
  // A pause ends by itself.
  clearTimeout(pauseEnd);
  if (pause) pauseEnd = setTimeout(load, pause.seconds * 1000 + 500);
  const isOn = pause ? pause.enabled : status.enabled;
  const [hold, turn] = [pause ? 'resume' : 'pause', isOn ? 'turnOff' : 'turnOn'];
  const state = [pause ? text('paused', clock(pause.until)) : '', isOn ? pause ? '' : text('on') : text('off')]
    .filter(Boolean).join(' ');
  const services = (pause?.services ?? []).map(app =>
    text('stops', app.replace(/^[a-z]+:/, ''), pause.commands?.[app] ?? ''));
  const sources = status.sources ?? [];
  // A screen reader would say again what is drawn again.
  const drawn = JSON.stringify([state, services, hold, turn, sources.map(one => [one.name, one.state, one.reason])]);
  if (byID('state').dataset.drawn === drawn) return;
  byID('state').dataset.drawn = drawn;
  byID('state').replaceChildren(element('p', {}, state), ...services.length
    ? [element('p', {}, text('goOn')), element('ul', {}, ...services.map(line => element('li', {}, line)))] : []);
  byID('switches').replaceChildren(button(text(hold), () => change(hold), { id: 'pause' }), ' ',
    button(text(turn), () => change('services.set', { enabled: !isOn }), { id: 'switch' }));
  byID('sources').hidden = !sources.length;
  byID('sources').replaceChildren(element('h2', {}, text('sources')),
    element('ul', {}, ...sources.map(one => element('li', {}, 
      `${one.name}${one.state ? `: ${text(one.state === 'failed' ? 'failing' : one.state)}` : ''}`,
      one.reason ? ` (${one.reason})` : ''))));
}

// Shows what the doctor of the command line says. The receivers are tried where the person wishes that: it is a use of the place.
async function examine(tries = false) {
  if (tries) byID('tried').textContent = text('trying');
  let found;
  try {
    found = await ask('doctor', { tries });
  } catch (error) {
    if (tries) byID('tried').textContent = error.text || text('failed');
    return;
  }
  if (tries) byID('tried').textContent = text('tried');
  const kind = one => one.ok ? one.advice ? 'advice' : 'ok' : 'trouble';
  const drawn = JSON.stringify(found);
  if (byID('doctor').dataset.drawn === drawn) return;
  byID('doctor').dataset.drawn = drawn;
  redraw(() => {
    byID('doctor').hidden = false;
    byID('findings').replaceChildren(...found.findings.map(one =>
      element('li', { className: kind(one) }, element('strong', {}, text(kind(one))), ` ${one.text}`)));
    byID('try').hidden = !found.mayTry;
  });
}

// A bar for each of the last 30 days; those in the background have another colour below the others.
function picture(entries, label) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const set = (made, values) => { for (const [key, value] of Object.entries(values)) made.setAttribute(key, value); return made; };
  set(svg, { viewBox: '0 0 300 36', preserveAspectRatio: 'none', role: 'img', 'aria-label': label });
  const today = Date.parse(new Date().toLocaleDateString('sv', { timeZone }));
  const days = Array.from({ length: 30 }, () => [0, 0]);
  for (const entry of entries) {
    const age = Math.round((today - Date.parse(entry.day)) / 86400000);
    if (age >= 0 && age < 30) days[29 - age][entry.background ? 1 : 0] += entry.accesses;
  }
  const most = Math.max(1, ...days.map(([front, behind]) => front + behind));
  days.forEach(([front, behind], i) => {
    let top = 35;
    for (const [count, kind] of [[behind, 'behind'], [front, 'front']]) {
      const height = count * 34 / most;
      top -= height;
      if (count) svg.append(set(document.createElementNS(space, 'rect'), { x: i * 10 + 1, y: top, width: 8, height, class: kind }));
    }
  });
  return svg;
}

function days(app, entries) {
  const cells = (kind, values) => element('tr', {}, ...values.map(value => element(kind, {}, value)));
  const id = `${app.uid} ${app.app}`;
  return element('details', { id: `${id} days` }, element('summary', { id: `${id} summary` }, text('detail')),
    element('div', { className: 'wide' }, element('table', {},
      cells('th', [text('day'), text('from'), text('to'), text('times'), text('service'), '']),
      ...entries.map(entry => cells('td', [entry.day, time(entry.first), time(entry.last), `${entry.accesses}`, entry.service,
        [text(entry.accuracy), entry.background ? text('behind') : ''].filter(Boolean).join(', ')])))),
    button(text('forget'), () => change('history.forget', { app: app.app, uid: app.uid }), { id: `${id} forget` }));
}

// The names and icons that the desktop has for programs.
const programs = new Map();

async function look(apps) {
  for (const { app } of apps) {
    if (!programs.has(app) && /^(app|flatpak):/.test(app)) programs.set(app, await ask('program', { app }));
  }
}

// A choice among options, and a hint. The pointer decides at once; the keyboard passes over others on its way, so that it
// decides by Enter, or where the focus goes elsewhere.
function choice(id, label, options, chosen, decide) {
  let isByKey = false;
  const hint = element('small', { role: 'status' });
  const isOpen = () => select.value !== chosen;
  const show = () => {
    hint.textContent = isOpen() && isByKey ? text('enter') : '';
    if (isOpen()) select.dataset.undecided = '';
    else delete select.dataset.undecided;
  };
  const settle = () => {
    if (!isOpen()) return;
    chosen = select.value;
    show();
    decide(chosen);
  };
  const select = element('select', { id, 'aria-label': label,
    onpointerdown: () => { isByKey = false; },
    onkeydown: event => {
      // A list that these keys open is left by Enter.
      isByKey = !(event.key === ' ' || event.key === 'F4' || event.altKey);
      if (!isOpen() || event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault();
      if (event.key === 'Enter') return settle();
      select.value = chosen;
      show();
    },
    onchange: () => isByKey ? show() : settle(),
    // Another window in front is no decision.
    onblur: () => { if (document.hasFocus() && select.isConnected) settle(); },
  }, ...options.map(([value, words]) => element('option', { value, selected: value === chosen }, words)));
  return [select, hint];
}

function card(app, entries) {
  const of = { app: app.app, uid: app.uid };
  const program = programs.get(app.app) ?? {};
  const name = program.name ?? app.app.replace(/^[a-z]+:/, '');
  const level = choice(`${app.uid} ${app.app} level`, `${text('may')}: ${name}`,
    levels.map(word => [word, text(levelWords[word])]), app.authorization, to => to === 'notDetermined'
      ? change('permissions.reset', of) : change('permissions.set', { ...of, authorization: to }));
  const exactness = choice(`${app.uid} ${app.app} exactness`, `${text('exact')}: ${name}`,
    ['full', 'reduced'].map(word => [word, text(word)]), app.accuracy, accuracy => change('permissions.set', { ...of, accuracy }));
  const isFixed = app.authorization === 'restricted' || app.uid === undefined;
  const total = entries.reduce((sum, entry) => sum + entry.accesses, 0);
  const label = text('days', count('accesses', total), count('onDays', new Set(entries.map(entry => entry.day)).size));
  return element('li', {},
    element('h2', {}, program.icon ? element('img', { src: program.icon, alt: '' }) : null, name), element('small', {}, app.app),
    app.name ? element('p', { className: 'quiet' }, text('calls', app.name)) : null,
    app.purpose ? element('p', { className: 'quiet' }, text('says', app.purpose)) : null,
    row(
      ...isFixed ? [text(levelWords[app.authorization])] : app.authorization.startsWith('authorized') ? [...level, ...exactness] : level,
      element('span', { className: 'quiet' }, [app.lastUsed ? text('last', clock(app.lastUsed)) : text('never'),
        app.source ? text('by', text(app.source)) : ''].filter(Boolean).join(', '))),
    ...total ? [picture(entries, label), element('small', {}, label), days(app, entries)] : []);
}

async function load() {
  try {
    const [status, apps, history] = await Promise.all([ask('status'), ask('permissions.list'), ask('history')]);
    const key = one => `${one.uid} ${one.app}`;
    await look(apps.permissions);
    const told = new Map();
    for (const one of history.entries) told.set(key(one), [...told.get(key(one)) ?? [], one]);
    // An answer has an end: what it leaves out is asked for app by app.
    if (history.more) {
      for (const app of apps.permissions.filter(app => app.uid !== undefined)) {
        told.set(key(app), (await ask('history', { app: app.app, uid: app.uid })).entries);
      }
    }
    const cards = apps.permissions.map(app => card(app, told.get(key(app)) ?? []));
    redraw(() => {
      showState(status);
      // The person is choosing with the keyboard.
      if (document.querySelector('[data-undecided]')) return;
      byID('apps').replaceChildren(...cards.length ? cards : [element('li', {}, text('none'))]);
    });
  } catch (error) {
    notice(error.text || text(error.kind));
  }
  await examine();
}

byID('doctorTitle').textContent = text('doctor');
byID('try').textContent = text('tryNow');
byID('try').addEventListener('click', () => examine(true));
document.title = byID('title').textContent = text('title');
connect(load, () => notice(text('gone')));
