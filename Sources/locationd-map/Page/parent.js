// The program that serves this page: what it tells comes as events, what the person wishes goes to it.

const listeners = new Map();
const pending = new Map();
let page = 0;
let last = 0;
let open;
const isOpen = new Promise(resolve => { open = resolve; });

// `handle(values, isWhole)`: what was set, as one value, or what was added since.
export function on(name, handle) {
  listeners.set(name, handle);
}

let whenLost = () => {};
let whenOpen = () => {};

export function connect(opened, lost) {
  whenOpen = opened;
  whenLost = lost;
  const source = new EventSource('events');
  // A page may have to load something before it hears the next.
  let turn = Promise.resolve();
  source.onmessage = event => { turn = turn.then(() => take(JSON.parse(event.data))).catch(console.error); };
  source.onerror = () => {
    giveUp('gone');
    whenLost();
  };
}

function take(message) {
  if (message.page !== undefined) {
    giveUp('gone');
    page = message.page;
    open();
    whenOpen();
  } else if (message.set !== undefined) {
    return listeners.get(message.set)?.([message.value], true);
  } else if (message.add !== undefined) {
    return listeners.get(message.add)?.(message.values, false);
  } else if (message.id !== undefined) {
    pending.get(message.id)?.(message.value);
    pending.delete(message.id);
  }
}

function giveUp(kind) {
  for (const answer of pending.values()) answer({ error: { kind, text: '' } });
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
    throw { kind: 'gone', text: '' };
  }
  const value = await answer;
  if (value.error) throw value.error;
  return value.result;
}

// A question to the service of places.
export const ask = (question, of) => wish({ ask: question, of });
