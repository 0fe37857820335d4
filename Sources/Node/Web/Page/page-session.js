// One session: its times, actions and sets, its predictions as a strip, corrections, and its deletion.
import { get, post } from './api.js';
import { byId, cameraName, duration, el, labelName, labelOf, lightScheme, loadState, many, momentOf, number, openPage, pairs, percent,
  put, say, swatch, table, timeOf } from './common.js';
import { askEffort } from './effort.js';
import { addReplays } from './set-replay.js';
import { zoneName } from './text.js';
import { Timeline } from './timeline.js';

const longestWindow = 4000;
openPage('session');
const id = new URLSearchParams(location.search).get('id') ?? '';
const path = 'sessions/' + encodeURIComponent(id);
const form = byId('correction');
let shown = {};
const seconds = (row) => (Date.parse(row.end) - Date.parse(row.start)) / 1000;

// Predictions know only their end. Each fills the time since the one before it, if that is near.
function fromPredictions(predictions) {
  const list = predictions.map(({ time, label, confidence }) => ({ end: new Date(time).getTime(), label, confidence }));
  list.sort((a, b) => a.end - b.end);
  return list.map((item, n) => ({ ...item, words: percent(item.confidence),
    start: Math.max(list[n - 1]?.end ?? 0, item.end - longestWindow) }));
}

const fromSets = (sets) => sets.map(({ start, end, label, reps }) =>
  ({ start: Date.parse(start), end: Date.parse(end), label, confidence: 1, words: reps ? number(reps) : '' }));

const mayChange = () => shown.state?.role === 'operator' && shown.session.end_reason;

function render() {
  const { session, state } = shown;
  const camera = cameraName(state, session.camera);
  const sets = session.sets ?? [];
  put(byId('title'), say('session_of', { time: momentOf(session.start) }));
  pairs(byId('facts'), [
    [say('camera'), camera], [say('zone'), session.zone && zoneName(session.zone)], [say('person'), session.track],
    [say('start'), timeOf(session.start)],
    [say('end'), session.end_reason ? timeOf(session.end) : say('open')], [say('length'), duration(seconds(session))],
    [say('ended_by'), say(session.end_reason ? 'ended_' + session.end_reason : 'still_open')],
    [say('model'), session.model], [say('frame_rate'), say('fps', { n: number(session.fps, 1) })],
  ]);
  byId('actions').replaceChildren(table(say('actions'),
    [say('action'), [say('time')], [say('reps')], [say('confidence')]], session.actions.map((action) =>
      [swatch(action.label), duration(action.seconds), number(action.reps), percent(action.conf_mean)])));
  byId('sets').replaceChildren(sets.length ? table(say('sets'),
    [say('set'), say('action'), [say('reps')], ...sides(sets, () => [say('left_right')]), ...loads(sets, () => [say('load_kg')]), ...exertions(sets, () => [say('rpe')]), [say('length')], [say('rest_before')],
      [say('score')], ...sure(sets, () => [say('confidence')])],
    sets.map((set) => [set.number, [swatch(set.label), effortButton(set), correctButton(set), correctedNote(set)], repsOf(set),
      ...sides(sets, () => sidesOf(set)),
      ...loads(sets, () => number(set.load_kg, 0, 2)), ...exertions(sets, () => number(set.rpe, 0, 1)), duration(seconds(set)), duration(set.rest_s), number(set.score),
      ...sure(sets, () => percent(set.confidence))]))
    : el('p', { className: 'soft' }, say('no_sets')));
  addReplays(session, state?.role === 'operator');
  byId('delete').hidden = !mayChange();
  byId('delete').onclick = () => ask(session, camera);
}

// A column that is there where somebody entered a load.
const loads = (sets, cell) => sets.some((set) => set.load_kg !== undefined) ? [cell()] : [];
const exertions = (sets, cell) => sets.some((set) => set.rpe !== undefined) ? [cell()] : [];
// Sets of earlier versions have none.
const sure = (sets, cell) => sets.some((set) => set.confidence !== undefined) ? [cell()] : [];
// Only some exercises have sides.
const sides = (sets, cell) => sets.some((set) => set.left_reps !== undefined) ? [cell()] : [];
const sidesOf = ({ left_reps: left, right_reps: right }) => left === undefined ? null : `${number(left)} / ${number(right)}`;
// Most counts are right within one. A larger margin is told.
const repsOf = ({ reps, reps_margin: margin }) => number(reps || undefined) + (margin > 1 ? ` ± ${number(margin)}` : '');
// What is held has no repetitions.
const whatOf = ({ label, reps }) => ({ what: labelName(label) + (reps ? ', ' + many('reps', reps) : '') });
const correctedNote = ({ corrected }) =>
  corrected && el('span', { className: 'advice-line' }, say('corrected', whatOf(corrected)));

const correctButton = (set) => mayChange() && el('button', { type: 'button', id: 'correct-' + set.number,
  className: 'small', ariaLabel: say('correct_set', { n: set.number }), onclick: () => correct(set) }, say('correct'));

const effortButton = (set) => mayChange() && set.label !== 'none' && el('button', { type: 'button', id: 'effort-' + set.number,
  className: 'small', ariaLabel: say('effort_set', { n: set.number }), onclick: () => enterEffort(set) }, say('effort'));

function enterEffort(set) {
  const offered = shown.loads.find((one) => one.set === set.number)?.last_load_kg;
  askEffort({ title: say('effort_set', { n: set.number }), load: set.load_kg, rpe: set.rpe, offered }, async (wish) => {
    await store(set, wish);
    // The load of this set is offered for the next one.
    shown.loads = await get(path + '/loads').catch(() => shown.loads);
  });
}

function correct(set) {
  put(byId('correct-title'), say('correct_set', { n: set.number }));
  put(byId('recognised'), say('recognised', whatOf(set.corrected ?? set)));
  [form.label.value, form.reps.value, form.load.value, form.rpe.value] = [set.label, set.reps, set.load_kg ?? '', set.rpe ?? ''];
  put(byId('correct-failed'), '');
  byId('undo').hidden = !set.corrected && set.load_kg === undefined && set.rpe === undefined;
  askForNewLabel(false);
  form.onsubmit = () => change(set, { label: labelOf(form.label), reps: form.reps.valueAsNumber,
    load_kg: form.load.value ? form.load.valueAsNumber : 0, rpe: form.rpe.value ? form.rpe.valueAsNumber : 0,
    new_label: form.new_label.checked });
  byId('undo').onclick = () => change(set, { undo: true });
  byId('correct').showModal();
}

async function store(set, wish) {
  Object.assign(shown.session, await post(`${path}/sets/${set.number}/correct`, wish));
  render();
  renderTimeline();
  const now = shown.session.sets.find((one) => one.number === set.number);
  put(byId('changed'), say('set_is_now', { n: set.number, ...whatOf(now) }));
}

async function change(set, wish) {
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  try {
    await store(set, wish);
    byId('correct').close();
    byId('correct-' + set.number)?.focus();
  } catch (failure) {
    put(byId('correct-failed'), failure.message);
    if (failure.code === 'unknown_label') askForNewLabel(true);
  }
  for (const button of buttons) button.disabled = false;
}

// A word that nobody knows is mostly mistyped: it takes a second look.
function askForNewLabel(isAsked) {
  byId('new-label').hidden = !isAsked;
  form.new_label.checked = false;
}

// A set that never was has no repetitions and no load.
form.label.addEventListener('input', () => {
  if (labelOf(form.label) === 'none') [form.reps.value, form.load.value, form.rpe.value] = [0, '', ''];
  askForNewLabel(false);
});
byId('cancel').addEventListener('click', () => byId('correct').close());

lightScheme.addEventListener('change', () => shown.session && [render(), renderTimeline()]);

let timeline;
function renderTimeline() {
  const { session, predictions } = shown;
  const items = predictions.length ? fromPredictions(predictions) : fromSets(session.sets ?? []);
  const [from, to] = [Date.parse(session.start), Math.max(Date.parse(session.end), items.at(-1)?.end ?? 0)];
  const describe = ({ end, label, words }) =>
    say('window_only', { time: timeOf(end), first: `${labelName(label)} ${words}` });
  timeline ??= new Timeline(byId('timeline'), byId('window'), say('course'), describe,
    say(predictions.length ? 'window_hint' : 'only_sets'));
  const show = () => timeline.set(items, from, to);
  show();
  window.onresize = show;
  put(byId('from'), timeOf(from));
  put(byId('to'), timeOf(to));
  const labels = [...new Set(items.map((item) => item.label))];
  byId('legend').replaceChildren(...labels.map((label) => el('li', {}, swatch(label))));
}

function ask(session, camera) {
  put(byId('loss'), say('loss', { time: momentOf(session.start), camera, length: duration(session.seconds),
    reps: many('reps', session.actions.reduce((sum, action) => sum + (action.reps ?? 0), 0)),
    sets: many('sets', session.sets?.length ?? 0),
    actions: session.actions.map((action) => labelName(action.label)).join(', ') }));
  put(byId('failed'), '');
  byId('sure').showModal();
}

byId('really').addEventListener('click', async () => {
  byId('really').disabled = true;
  try {
    await post(path + '/delete', { confirm: id });
    location.assign('/history?deleted=1');
  } catch (failure) {
    put(byId('failed'), failure.message);
    byId('really').disabled = false;
  }
});

// The way back keeps the filters of the history.
if (document.referrer.startsWith(location.origin + '/history?')) byId('back').href = document.referrer;
try {
  const [state, session] = await Promise.all([loadState(), get(path)]);
  shown = { state, session, predictions: await get(path + '/predictions').catch(() => []), loads: [] };
  if (mayChange()) shown.loads = await get(path + '/loads').catch(() => []);
  const labels = new Set([...state?.model.labels ?? [], ...session.actions.map((action) => action.label), 'none']);
  byId('labels').replaceChildren(...[...labels].sort().map((label) => new Option(labelName(label), label)));
  render();
  byId('results').hidden = false;
  byId('status').hidden = true;
  renderTimeline();
} catch (failure) {
  put(byId('status'), failure.status === 404 ? say('session_gone') : failure.message);
}
