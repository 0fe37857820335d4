// Somebody lies on the floor and does not move: a red box on every page, and a red edge around the wall.
import { get, post } from './api.js';
import { banner, el, mark, minuteOf, say } from './common.js';
import { zoneName } from './text.js';

const asksEvery = 5000;
const box = el('div', { className: 'alarms', role: 'alert' });
let shown = '';

// `cameras` are those of the node's state. Only an operator can acknowledge.
export function showAlarms(cameras, role) {
  const open = cameras.flatMap((camera) => (camera.alarms ?? []).map((alarm) => ({ ...alarm, place: alarm.zone
    ? `${camera.name || camera.camera}, ${zoneName(alarm.zone)}` : camera.name || camera.camera })));
  // Built anew only when something has changed, so that a button keeps the focus and a screen reader reads it once.
  const now = JSON.stringify([open, role]);
  if (now === shown) return;
  shown = now;
  if (!box.isConnected) document.body.prepend(box);
  document.body.classList.toggle('alarmed', open.length > 0);
  box.replaceChildren(...open.map((alarm) => el('p', {}, mark('bad', say('alarm_' + alarm.cause)),
    el('b', {}, ' – ' + alarm.place), ', ' + say('alarm_since', { time: minuteOf(alarm.since) }) + ' ',
    role === 'operator' && el('button', { type: 'button', onclick: ({ target }) => acknowledge(alarm, target) },
      say('acknowledge')))));
}

async function acknowledge(alarm, button) {
  button.disabled = true;
  try {
    await post(`alarms/${encodeURIComponent(alarm.id)}/acknowledge`, {});
    await ask();
  } catch (failure) {
    button.disabled = false;
    banner(failure.message);
  }
}

async function ask() {
  const { cameras, role } = await get('state');
  showAlarms(cameras, role);
}

// For pages without the event stream of all cameras.
export function watchAlarms() {
  const again = () => document.hidden || ask().catch(() => {});
  again();
  setInterval(again, asksEvery);
}
