// The page for workouts: starts them, shows those that go on, the board of the day, and what was done.
import { get, post } from './api.js';
import { hear, openAudio } from './audio.js';
import { announce, banner, byId, clock, colour, duration, el, finding, goesOn, labelName, many, momentOf, number, openPage,
  options, put, say, showNode, shownOf, stepName, table } from './common.js';
import { Live } from './live.js';
import { translated } from './sentences.js';
import { noRepsOf, renderSpeeds, speedView } from './speeds.js';
import { text, use } from './text.js';
import { effortCell, offerMore } from './workout-detail.js';

use('records', 'workouts');
openPage('workouts');
openAudio();
const storedAfter = 1500;
const form = byId('start');
const cards = new Map();
let plans = [];

const called = ({ name, nickname }) => name ?? nickname;

// MARK: what goes on

class Card {
  constructor(camera, id) {
    const part = (name, tag, className, ...children) => (this[name] = el(tag, { className }, ...children));
    part('element', 'article', 'card workout',
      el('div', { className: 'head' }, part('title', 'h2', ''), part('place', 'span', 'soft')),
      part('stepOf', 'p', 'step-of'), part('exercise', 'p', 'exercise'), part('done', 'p', 'done'),
      part('says', 'p', 'says'), part('cue', 'p', 'cue'), this.speeds = speedView(), part('pain', 'fieldset', 'pain'), part('progress', 'div', 'progress'),
      el('div', { className: 'controls' }, part('skip', 'button', ''), part('stop', 'button', '')));
    this.says.role = this.cue.role = 'status';
    this.pain.append(el('legend', {}, say('pain_question')), ...Array.from({ length: 11 }, (_, pain) =>
      el('button', { type: 'button', onclick: () => answerPain(id, pain) }, number(pain))));
    for (const [name, words] of [['skip', 'skip_step'], ['stop', 'stop_workout']]) {
      Object.assign(this[name], { type: 'button', textContent: say(words), onclick: () => ask(`workouts/${id}/${name}`, {}) });
    }
    this.camera = camera;
  }

  render(workout) {
    this.workout = workout;
    const isOperator = live.state?.role === 'operator';
    this.skip.hidden = this.stop.hidden = !isOperator;
    this.pain.hidden = !workout.asks_pain;
    for (const button of this.pain.querySelectorAll('button')) button.disabled = !isOperator;
    put(this.cue, translated(workout.cue ?? ''));
    renderSpeeds(this.speeds, workout);
    this.element.style.setProperty('--tone', colour(workout.action));
    this.element.className = 'card workout ' + workout.phase;
    put(this.title, [called(workout), translated(workout.plan_name)].filter(Boolean).join(' · '));
    const camera = live.cameras.get(this.camera);
    put(this.place, camera?.name || this.camera);
    const of = say('step_of', { n: workout.step, all: workout.steps });
    put(this.stepOf, [of, workout.round > 1 && say('round_n', { n: workout.round }), noRepsOf(workout)].filter(Boolean)
      .join(' · '));
    put(this.exercise, stepName(workout));
    const share = workout.planned_reps ? workout.reps / workout.planned_reps
      : workout.planned_s ? workout.seconds / workout.planned_s : 0;
    this.progress.replaceChildren(...Array.from({ length: workout.steps }, (_, n) => {
      const bar = el('i');
      bar.style.setProperty('--share', `${100 * (n < workout.step - 1 ? 1 : n > workout.step - 1 ? 0 : Math.min(1, share))}%`);
      return bar;
    }));
    this.tick();
  }

  tick() {
    const { phase, reps, planned_reps: wanted, seconds, planned_s: length, until, running } = this.workout;
    const left = until ? Date.parse(until) - live.now() : null;
    const small = (words) => el('small', {}, ' ' + words);
    const parts = phase === 'asking' ? [] : phase === 'resting' ? [clock(left + 999)]
      : length ? [number(Math.floor(seconds)), small(`/ ${number(length)} ${say('seconds_short')}`)]
        : wanted ? [number(reps), small('/ ' + number(wanted))]
          : left === null ? [number(reps)] : [number(reps), small(clock(left + 999))];
    const words = parts.map((one) => one.textContent ?? one).join('');
    if (this.shown !== words) this.done.replaceChildren(...parts);
    this.shown = words;
    put(this.says, this.sentence(phase, running));
  }

  sentence(phase, running) {
    const { ignored, present } = this.workout;
    const action = stepName(this.workout);
    if (phase === 'asking') return say('last_step_done');
    if (ignored) return say('ignored', { label: labelName(ignored) });
    if (phase === 'resting') return say('rest_then', { action });
    if (phase === 'waiting') return say(present ? 'waits_for' : 'waits_for_somebody', { action });
    return running ? say('goes_on') : say('paused', { action });
  }
}

function render(camera) {
  const running = camera.workouts ?? [];
  hear(running);
  for (const [id, card] of cards) {
    if (card.camera !== camera.camera || running.some((one) => one.id === id)) continue;
    card.element.remove();
    cards.delete(id);
    // Its end is on disk a moment later.
    setTimeout(loadPast, storedAfter);
  }
  for (const workout of running) {
    if (!cards.has(workout.id)) {
      cards.set(workout.id, new Card(camera.camera, workout.id));
      byId('running').append(cards.get(workout.id).element);
    }
    cards.get(workout.id).render(workout);
  }
}

// MARK: plans

const planWords = ({ rounds, steps, challenge_seconds: challenge }) => {
  if (challenge) return say('challenge_of', { action: labelName(steps[0].action), time: duration(challenge) });
  const words = steps.flatMap((step) => [
    `${step.repetitions ? number(step.repetitions) + ' ×' : duration(step.seconds)} ${stepName(step)}`,
    step.rest_seconds ? say('rest_of', { time: duration(step.rest_seconds) }) : null,
  ]).filter(Boolean).join(', ');
  return rounds > 1 ? say('rounds_of', { n: rounds, steps: words }) : words;
};

async function loadPlans() {
  try {
    const overview = await get('workouts');
    plans = overview.plans.filter(({ plan }) => plan);
    options(form.plan, plans.map(({ id, plan }) => [id, plan.name]), form.plan.value || plans[0]?.id);
    byId('plan-errors').replaceChildren(...overview.plans.filter(({ error }) => error)
      .map(({ id, error }) => finding('bad', id, translated(error))));
    showPlan();
    renderBoard(overview.board);
  } catch (failure) {
    banner(failure.message);
  }
}

function showPlan() {
  const found = plans.find(({ id }) => id === form.plan.value);
  put(byId('plan-words'), found ? [found.plan.description, planWords(found.plan)].filter(Boolean).join(' ') : say('no_plans'));
}

async function ask(path, body) {
  try {
    return await post(path, body);
  } catch (failure) {
    put(byId('start-status'), failure.message);
    return null;
  }
}

async function answerPain(id, pain) {
  const answer = await ask(`workouts/${id}/pain`, { pain });
  if (answer) put(byId('start-status'), say(answer.end_reason === 'pain' ? 'pain_too_much' : 'pain_noted', { n: pain }));
}

form.plan.addEventListener('change', showPlan);
form.addEventListener('submit', async () => {
  const body = { plan: form.plan.value, camera: form.camera.value, name: form.name.value.trim(),
    nickname: form.nickname.value.trim() };
  const answer = await ask('workouts/start', body);
  if (!answer) return;
  const plan = plans.find(({ id }) => id === answer.plan)?.plan.name ?? answer.plan;
  put(byId('start-status'), say('started', { plan, camera: live.cameras.get(answer.camera)?.name || answer.camera }));
  byId('running').scrollIntoView({ block: 'nearest' });
});

// MARK: what was done

function renderBoard(board) {
  byId('board-box').hidden = !board;
  if (!board) return;
  byId('board').replaceChildren(board.length
    ? table(say('board_title'), [say('workout'), say('person'), [say('reps')]],
      board.map((row) => [translated(row.plan_name), called(row), number(row.reps)]))
    : el('p', { className: 'soft' }, say('board_none')));
}

const lengthOf = (workout) => duration((Date.parse(workout.end) - Date.parse(workout.start)) / 1000);
const endOf = (workout) => (workout.end_reason ? say('ended_' + workout.end_reason) : say('goes_on_now'));

const [page, maximumPast] = [30, 500];
let limit = page;
async function loadPast() {
  try {
    const rows = await get('history/workouts', { limit });
    put(byId('past-count'), rows.length ? shownOf(rows, 'workouts') : '');
    byId('more').hidden = rows.length >= Number(rows.total) || limit >= maximumPast;
    byId('past').replaceChildren(rows.length ? table(say('past_title'),
      [say('start'), say('workout'), say('person'), [say('steps')], [say('reps')], [say('length')], say('why_ended')],
      rows.map((row) => [el('button', { type: 'button', onclick: () => show(row.id) }, momentOf(row.start)), translated(row.plan_name),
        called(row) ?? text.none, `${number(row.completed_steps)}/${number(row.steps.length)}`, number(row.reps),
        lengthOf(row), endOf(row)])) : el('p', { className: 'soft' }, say('past_none')));
    renderBoard((await get('workouts')).board);
  } catch (failure) {
    banner(failure.message);
  }
}

goesOn(byId('more'));
byId('more').addEventListener('click', () => [limit = Math.min(limit + page, maximumPast), loadPast()]);

const plannedOf = (step) => (step.planned_reps ? number(step.planned_reps) : step.planned_s ? duration(step.planned_s) : text.none);
const doneOf = (step) => (!step ? text.none : step.skipped ? say('skipped') : !step.start ? text.none
  : step.planned_s ? duration(step.seconds)
    : [number(step.reps), noRepsOf(step.measured ?? {})].filter(Boolean).join(' · '));
// What was said in a step, what could not be judged in it, and which side worked.
const saidOf = ({ cues, measured }) => [...(cues ?? []).map(translated),
  ...measured?.unjudged_reps ? [many('unjudged', measured.unjudged_reps)] : [],
  ...measured?.left_reps !== undefined ? [say('left_right_reps', { left: measured.left_reps, right: measured.right_reps })] : []];

const units = { degrees: '°', seconds: ' s', share: ' %' };
function valueOf(found) {
  if (!found) return text.none;
  const of = (value, digits) => number(found.unit === 'share' ? 100 * value : value, digits);
  const digits = found.unit === 'degrees' || found.unit === 'share' ? 0 : found.unit === 'seconds' ? 1 : 2;
  return `${of(found.value, digits)} ± ${of(found.uncertainty, digits)}${units[found.unit] ?? ''}`;
}
const scoreOf = (measured) => (measured?.primary == null && measured?.control == null ? text.none
  : `${number(measured.primary)} / ${number(measured.control)}`);

async function show(id) {
  try {
    const { workout, before, sets } = await get('workouts/' + id);
    put(byId('detail-title'), [called(workout), translated(workout.plan_name), momentOf(workout.start)].filter(Boolean).join(' · '));
    put(byId('detail-facts'), [say('workout_facts', { done: number(workout.completed_steps), all: number(workout.steps.length),
      reps: many('reps', workout.reps), time: lengthOf(workout), end: endOf(workout) }),
    before && say('before_facts', { reps: many('reps', before.reps), time: lengthOf(before) })].filter(Boolean).join(' '));
    byId('detail-steps').replaceChildren(table(say('steps'),
      [say('step'), say('action'), [say('planned')], [say('done')], [say('rest_before')], [say('range')], [say('tempo')],
        [say('score')], [say('pain')], ...sets ? [[say('effort')]] : [], ...before ? [[say('last_time')]] : []],
      workout.steps.map((step, n) => [number(n + 1), stepName(step), plannedOf(step), doneOf(step),
        duration(step.rest_before_s), valueOf(step.measured?.range), valueOf(step.measured?.tempo), scoreOf(step.measured),
        number(step.pain), ...sets ? [effortCell(workout, n, sets, () => show(id))] : [], ...before ? [doneOf(before.steps[n])] : []])),
    el('p', { className: 'note' }, say('score_words')),
    el('ul', { className: 'findings' }, ...workout.steps.flatMap((step, n) => saidOf(step).map((words) =>
      el('li', {}, `${say('step')} ${number(n + 1)}: ${words}`)))));
    offerMore(workout, live.state?.role === 'operator');
    const forget = byId('forget');
    forget.hidden = !called(workout) || live.state?.role !== 'operator';
    put(forget, say('forget_name', { name: called(workout) }));
    forget.onclick = async () => {
      const answer = await ask('names/delete', { name: called(workout) });
      if (!answer) return;
      byId('detail').close();
      const done = say('forgotten', { workouts: many('workouts', answer.workouts), clips: many('clips', answer.clips) });
      announce(done);
      byId('start-status').replaceChildren(done, el('p', {}, say('not_reached')),
        el('ul', {}, answer.not_reached.map((one) => el('li', {}, one))));
      loadPast();
    };
    if (!byId('detail').open) byId('detail').showModal();
  } catch (failure) {
    banner(failure.message);
  }
}

const live = new Live({
  state(state) {
    showNode(state);
    byId('start-box').hidden = state.role !== 'operator';
    options(form.camera, state.cameras.map((camera) => [camera.camera, camera.name || camera.camera]),
      form.camera.value || state.cameras[0]?.camera);
    for (const camera of state.cameras) render(camera);
    loadPlans();
    loadPast();
  },
  camera: render,
});
setInterval(() => live.state && cards.forEach((card) => card.tick()), 250);
