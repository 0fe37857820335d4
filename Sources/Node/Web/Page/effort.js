// Load and exertion of a set, in two presses: the first opens this with the last load, the second is the exertion.
import { el, number, put, say } from './common.js';

const exertions = Array.from({ length: 9 }, (_, n) => 6 + n / 2);
const step = 2.5;

// `save` gets the load and the exertion, each only where it is entered, and resolves once they are stored.
export function askEffort({ title, load, rpe, offered }, save) {
  const field = el('input', { name: 'load', type: 'number', min: 0, max: 1000, step: 'any', inputMode: 'decimal',
    value: load ?? offered ?? '' });
  const failed = el('p', { className: 'bad', role: 'alert' });
  const dialog = el('dialog', { id: 'effort', 'aria-labelledby': 'effort-title' });
  const change = (by) => (field.value = Math.max(0, (field.valueAsNumber || 0) + by));
  async function store(exertion) {
    // An empty field takes a load back that was there.
    const kilograms = field.value ? field.valueAsNumber : load === undefined ? undefined : 0;
    const wish = { ...kilograms === undefined ? {} : { load_kg: kilograms }, ...exertion ? { rpe: exertion } : {} };
    const buttons = dialog.querySelectorAll('button');
    for (const button of buttons) button.disabled = true;
    try {
      await save(wish);
      dialog.close();
    } catch (failure) {
      put(failed, failure.message);
    }
    for (const button of buttons) button.disabled = false;
  }
  const press = (words, onclick, more = {}) => el('button', { type: 'button', onclick, ...more }, words);
  dialog.append(el('h2', { id: 'effort-title' }, title),
    el('div', { className: 'controls' }, press('−', () => change(-step), { ariaLabel: say('less_load', { n: number(step, 0, 1) }) }),
      el('label', { className: 'pick' }, el('span', {}, say('load_kg')), field),
      press('+', () => change(step), { ariaLabel: say('more_load', { n: number(step, 0, 1) }) }),
      press(say('save_load'), () => store())),
    el('p', { id: 'effort-hint', className: 'note' }, say('effort_hint')),
    el('div', { className: 'exertions', role: 'group', ariaLabel: say('rpe') }, exertions.map((value) =>
      press(number(value, 0, 1), () => store(value), { ariaPressed: String(value === rpe) }))),
    failed, el('form', { method: 'dialog', className: 'controls' }, el('button', {}, say('cancel'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('.exertions button').focus();
}

export const effortWords = ({ load_kg: load, rpe }) =>
  [load == null ? null : say('kilograms', { n: number(load, 0, 2) }), rpe == null ? null : say('rpe_n', { n: number(rpe, 0, 1) })]
    .filter(Boolean).join(', ');
