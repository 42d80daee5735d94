// The program that serves this page: what it tells comes as events, what the person wishes goes to it.

const listeners = new Map();
const pending = new Map();
let page = 0, last = 0, open, whenOpen;
const isOpen = new Promise(resolve => { open = resolve; });

// `handle(values, isWhole)`: what was set, as one value, or what was added since.
export function on(name, handle) {
  listeners.set(name, handle);
}

// A page that connects again stays as it is.
export function once(name, handle) {
  on(name, values => {
    listeners.delete(name);
    handle(values);
  });
}

export function connect(opened, whenLost) {
  whenOpen = opened;
  const source = new EventSource('events');
  // A page may have to load something before it hears the next.
  let turn = Promise.resolve();
  source.onmessage = event => { turn = turn.then(() => take(JSON.parse(event.data))).catch(console.error); };
  source.onerror = () => {
    giveUp();
    whenLost();
  };
}

function take({ page: own, set, add, id, value, values }) {
  if (set) return listeners.get(set)?.([value], true);
  if (add) return listeners.get(add)?.(values, false);
  pending.get(id)?.(value);
  pending.delete(id);
  if (own === undefined) return;
  giveUp();
  page = own;
  open();
  whenOpen();
}

const gone = { kind: 'gone', text: '' };

function giveUp() {
  for (const answer of pending.values()) answer({ error: gone });
  pending.clear();
}

// The result of a wish. Throws `{kind, text}` where there is none. Somebody quick may wish before the page is known.
export async function wish(wish) {
  await isOpen;
  const id = ++last;
  const answer = new Promise(resolve => pending.set(id, resolve));
  try {
    const response = await fetch('wish', {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ page, id, wish }),
    });
    if (!response.ok) throw new Error(response.status);
  } catch {
    pending.delete(id);
    throw gone;
  }
  const value = await answer;
  if (value.error) throw value.error;
  return value.result;
}

export const ask = (question, of) => wish({ ask: question, of });
