// A member's own page: nickname and code, then their workouts, records and weeks in a row.
import { get, post } from './api.js';
import { banner, byId, duration, el, labelName, many, momentOf, number, openPage, put, say, showNode, table } from './common.js';
import { askEffort, effortWords } from './effort.js';
import { recordsOf } from './records.js';
import { translated } from './sentences.js';
import { text, use } from './text.js';

use('records');
openPage('member', true);
const form = byId('form');

const doneOf = (step) => (step.skipped || !step.start ? text.none
  : step.reps ? number(step.reps) : duration(step.seconds));

function rowsOf(workout) {
  return workout.steps.map((step, n) => {
    const set = workout.sets.find((one) => one.step === n);
    const title = say('effort_of', { n: number(n + 1), action: labelName(step.action) });
    const enter = () => askEffort({ title, load: set.load_kg, rpe: set.rpe, offered: set.last_load_kg }, async (wish) => {
      await post(`member/workouts/${workout.id}/steps/${n}/effort`, wish);
      await load();
    });
    return [labelName(step.action), doneOf(step), set && el('span', {}, effortWords(set),
      workout.today && el('button', { type: 'button', className: 'small', ariaLabel: title, onclick: enter }, say('enter_effort')))];
  });
}

function stepsOf(workout) {
  const list = table(say('sets'), [say('action'), [say('reps')], [say('effort')]], rowsOf(workout));
  // Also three columns are too wide for a phone.
  list.className = 'wide';
  return list;
}

const workoutOf = (workout) => el('article', { className: 'own' },
  el('div', { className: 'bar' }, el('h3', {}, `${translated(workout.plan_name)} · ${momentOf(workout.start)}`),
    workout.end_reason && el('a', { href: `/api/v1/member/workouts/${workout.id}/fit`, download: '' }, say('fit_file'))),
  el('div', { className: 'scroll' }, stepsOf(workout)));

async function load() {
  const own = await get('member');
  showNode({ node: { time_zone: own.time_zone, name: '' }, model: { names: own.names, labels: [] } });
  put(byId('title'), say('member_of', { name: own.nickname }));
  byId('record-box').replaceChildren(...own.records ? recordsOf(own.records) : [el('p', {}, say('member_empty'))]);
  put(byId('count'), own.workouts.length < own.found ? say('newest_of', { n: number(own.workouts.length), all: number(own.found) })
    : many('workouts', own.found));
  byId('workouts').replaceChildren(...own.workouts.map(workoutOf));
  form.hidden = true;
  byId('own').hidden = false;
}

form.addEventListener('submit', async () => {
  const button = form.querySelector('button');
  const code = form.code.value.replaceAll(/\s/g, '');
  // What cannot be a code costs no attempt.
  if (!/^\d{6}$/.test(code)) {
    put(byId('failed'), say('code_digits'));
    return form.code.select();
  }
  button.disabled = true;
  put(byId('failed'), '');
  try {
    await post('member/login', { nickname: form.nickname.value, code });
    form.code.value = '';
    await load();
  } catch (failure) {
    put(byId('failed'), failure.message);
    form.code.select();
  }
  button.disabled = false;
});

byId('out').addEventListener('click', async () => {
  await post('member/logout', {}).catch((failure) => banner(failure.message));
  location.reload();
});

try {
  await load();
} catch (failure) {
  if (failure.status !== 401) banner(failure.message);
  form.hidden = false;
  form.nickname.focus();
}
