// What the operator does with a past workout: load and exertion, records, a file for a phone, a member's code.
import { get, post } from './api.js';
import { byId, el, labelName, number, put, say } from './common.js';
import { askEffort, effortWords } from './effort.js';
import { qrCode } from './qr-code.js';
import { recordsOf } from './records.js';

const show = (...parts) => byId('detail-more').replaceChildren(...parts);
const failure = (error) => show(el('p', { className: 'bad' }, error.message));

// Load and exertion of a step, with the button to enter them; a dash where no set belongs to it alone.
export function effortCell(workout, n, sets, again) {
  const set = sets.find((one) => one.step === n);
  if (!set) return null;
  const title = say('effort_of', { n: number(n + 1), action: labelName(workout.steps[n].action) });
  const enter = () => askEffort({ title, load: set.load_kg, rpe: set.rpe, offered: set.last_load_kg }, async (wish) => {
    await post(`sessions/${set.session}/sets/${set.set}/correct`, wish);
    await again();
  });
  return el('span', {}, effortWords(set), el('button', { type: 'button', className: 'small', id: 'step-effort-' + n,
    ariaLabel: title, onclick: enter }, say('enter_effort')));
}

export function offerMore({ id, name, end_reason: ended }, isOperator) {
  show();
  const offer = (button, isOffered, press) => {
    byId(button).hidden = !isOffered;
    byId(button).onclick = () => press().catch(failure);
  };
  put(byId('records'), say('records_of', { name }));
  put(byId('code'), say('make_code', { name }));
  offer('records', isOperator && name, async () => show(...recordsOf(await get('history/records', { name }))));
  offer('file', isOperator && name && ended, () => showLink(id));
  offer('code', isOperator && name, async () => {
    const made = await post('members/code', { name });
    show(el('p', { className: 'code' }, say('code_is', { ...made, address: location.origin + '/member' })));
  });
}

async function showLink(id) {
  const link = await post(`workouts/${id}/link`, {});
  const address = el('p', { className: 'note link' }, link.address);
  show(el('p', {}, say(link.here ? 'file_here' : 'file_hint', { n: number(link.seconds / 60) })), address);
  try {
    address.before(await qrCode(link.address, say('file_for_phone')));
  } catch {
    address.before(el('p', { className: 'bad' }, say('no_library')));
  }
  byId('detail-more').scrollIntoView({ block: 'nearest' });
}
