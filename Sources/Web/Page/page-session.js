// One session: its times, actions and sets, its predictions as a strip, and its deletion.
import { get, post } from './api.js';
import { byId, duration, el, labelName, loadState, many, momentOf, number, openPage, pairs, percent, put, say, swatch,
  table, timeOf } from './common.js';
import { addReplays } from './set-replay.js';
import { Timeline } from './timeline.js';

const longestWindow = 4000;
openPage('session');
const id = new URLSearchParams(location.search).get('id') ?? '';
const path = 'sessions/' + encodeURIComponent(id);
const seconds = (row) => (Date.parse(row.end) - Date.parse(row.start)) / 1000;

// Predictions know only their end. Each fills the time since the one before it, if that is near.
function fromPredictions(predictions) {
  const list = predictions.map(({ time, label, confidence }) => ({ end: new Date(time).getTime(), label, confidence }));
  list.sort((a, b) => a.end - b.end);
  return list.map((item, n) => ({ ...item, words: percent(item.confidence),
    start: Math.max(list[n - 1]?.end ?? 0, item.end - longestWindow) }));
}

const fromSets = (sets) => sets.map(({ start, end, label, reps }) =>
  ({ start: Date.parse(start), end: Date.parse(end), label, confidence: 1, words: number(reps) }));

function render(session, state) {
  const camera = state?.cameras.find((one) => one.camera === session.camera)?.name || session.camera;
  const sets = session.sets ?? [];
  put(byId('title'), say('session_of', { time: momentOf(session.start) }));
  pairs(byId('facts'), [
    [say('camera'), camera], [say('person'), session.track], [say('start'), timeOf(session.start)],
    [say('end'), session.end_reason ? timeOf(session.end) : say('open')], [say('length'), duration(seconds(session))],
    [say('ended_by'), say(session.end_reason ? 'ended_' + session.end_reason : 'still_open')],
    [say('model'), session.model], [say('frame_rate'), say('fps', { n: number(session.fps, 1) })],
  ]);
  byId('actions').replaceChildren(table(say('actions'),
    [say('action'), [say('time')], [say('reps')], [say('confidence')]], session.actions.map((action) =>
      [swatch(action.label), duration(action.seconds), number(action.reps), percent(action.conf_mean)])));
  byId('sets').replaceChildren(sets.length ? table(say('sets'),
    [say('set'), say('action'), [say('reps')], [say('length')], [say('rest_before')], [say('coaching_hint')]],
    sets.map((set, n) => [set.number ?? n + 1, swatch(set.label), number(set.reps), duration(seconds(set)),
      duration(set.rest_s), number(set.coaching_hint)])) : el('p', { className: 'soft' }, say('no_sets')));
  addReplays(session, state?.role === 'operator');
  byId('delete').hidden = state?.role !== 'operator' || !session.end_reason;
  byId('delete').onclick = () => ask(session, camera);
}

function renderTimeline(session, predictions) {
  const items = predictions.length ? fromPredictions(predictions) : fromSets(session.sets ?? []);
  const [from, to] = [Date.parse(session.start), Math.max(Date.parse(session.end), items.at(-1)?.end ?? 0)];
  const describe = ({ end, label, words }) =>
    say('window_only', { time: timeOf(end), first: `${labelName(label)} ${words}` });
  const timeline = new Timeline(byId('timeline'), byId('window'), say('course'), describe,
    say(predictions.length ? 'window_hint' : 'only_sets'));
  const show = () => timeline.set(items, from, to);
  show();
  addEventListener('resize', show);
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
  const predictions = await get(path + '/predictions').catch(() => []);
  render(session, state);
  byId('results').hidden = false;
  byId('status').hidden = true;
  renderTimeline(session, predictions);
} catch (failure) {
  put(byId('status'), failure.status === 404 ? say('session_gone') : failure.message);
}
