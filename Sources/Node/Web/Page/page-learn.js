// The page on which a person answers what the node asks, and which says how often the node is right.
import { get, post } from './api.js';
import { announce, banner, byId, cameraName, el, labelName, labelOf, loadState, many, momentOf, number, openPage, options,
  put, say, table, takesLabel, totalOf } from './common.js';
import { Player } from './replay.js';
import { translated } from './sentences.js';
import { text, use } from './text.js';

use('learning');
openPage('learn');
const [count, other] = [byId('count'), byId('other')];
const words = ['none', 'nobody', 'two_people', 'cut_off', 'skipped'];
// What is said of an answer: a label's name, or the words of a button.
const answerName = (answer) => (words.includes(answer) ? say('answer_' + answer) : labelName(answer));
let questions = [];
let at = 0;
let chosen;
let state;

// MARK: the replay

const player = new Player(byId('stage'), { repeats: true });

async function play(id) {
  player.play(null);
  try {
    const clip = await get(`questions/${id}/poses`, {}, 60);
    if (questions[at]?.id === id) player.play(clip);
  } catch (failure) {
    banner(failure.message);
  }
}

// MARK: the questions

// Loads the questions that are open: a list of the API may end before its end, and new ones come.
async function load() {
  const isAnswered = questions.length > 0;
  [questions, at] = [await get('questions', { state: 'open' }), 0];
  show(isAnswered);
}

function show(isAnswered = false) {
  const question = questions[at];
  byId('ask').hidden = !question;
  byId('empty').hidden = Boolean(question);
  if (!question) player.play(null);
  if (!question) return put(byId('empty'), say(isAnswered ? 'learn_done' : 'learn_none'));
  put(byId('place'), say('learn_place', { n: number(at + 1), all: totalOf(questions) }));
  put(byId('where'), say('learn_where', { camera: cameraName(state, question.camera), time: momentOf(question.start) }));
  byId('back').disabled = !at;
  byId('likely').replaceChildren(...question.likely.map((label) => choice(label)));
  byId('rest').replaceChildren(...words.map((word) => choice(word)));
  other.reset();
  ask(null);
  play(question.id);
}

const choice = (answer) => el('button', { type: 'button', onclick: () => choose(answer) }, answerName(answer));

// Asks for the repetitions of a label; `null` asks for the label.
function ask(label) {
  chosen = label;
  count.hidden = !label;
  byId('labels').hidden = Boolean(label);
  if (!label) return;
  put(byId('count-title'), say('learn_count', { label: labelName(label) }));
  count.elements.reps.value = questions[at].answer_reps ?? questions[at].reps;
  count.elements.reps.focus();
}

function choose(answer) {
  if (!words.includes(answer) && questions[at].reps != null) ask(answer);
  else save({ answer });
}

async function save(answer) {
  try {
    questions[at] = await post(`questions/${questions[at].id}/answer`, answer);
    banner(null);
    announce(say('learn_saved', { label: answerName(answer.answer) }));
    at += 1;
    await (at < questions.length ? show() : load());
    if (!questions.length) loadAccuracy();
  } catch (failure) {
    banner(failure.message);
  }
}

const step = (difference) => () => {
  const input = count.elements.reps;
  input.value = Math.max(0, (input.valueAsNumber || 0) + difference);
};
byId('less').addEventListener('click', step(-1));
byId('more').addEventListener('click', step(1));
byId('cancel').addEventListener('click', () => ask(null));
count.addEventListener('submit', () => save({ answer: chosen, reps: count.elements.reps.valueAsNumber }));
other.addEventListener('submit', () => choose(labelOf(other.elements.label)));
byId('back').addEventListener('click', () => [at -= 1, show()]);
byId('again').addEventListener('click', () => player.play(player.clip));
byId('slow').addEventListener('click', () => {
  player.speed = player.speed === 1 ? 0.5 : 1;
  byId('slow').ariaPressed = String(player.speed !== 1);
});

// MARK: how often it is right

const hundred = (share) => number(100 * share);
const shareText = (share) => (share ? `${hundred(share.share)} % (${hundred(share.low)}–${hundred(share.high)})` : text.none);
const rateText = (rate) => (rate ? `${number(rate.value, 1)} (${number(rate.low, 1)}–${number(rate.high, 1)})` : text.none);
const sentence = (key, share) => share && el('li', {}, say(key,
  { n: hundred(share.share), low: hundred(share.low), high: hundred(share.high) }));

// The interval on a line from 0 to 100 %, for the eye; the words stand beside it.
function line(share) {
  const [band, point] = [el('span', { className: 'band' }), el('span', { className: 'point' })];
  Object.assign(band.style, { left: `${100 * share.low}%`, width: `${100 * (share.high - share.low)}%` });
  point.style.left = `${100 * share.share}%`;
  return el('span', { className: 'interval', 'aria-hidden': 'true' }, band, point);
}

const rightCell = (share) => (share ? el('span', {}, shareText(share), line(share)) : text.none);
const groupName = { label: labelName, camera: (id) => cameraName(state, id) };
const accuracyTable = (by, rows) => table(say('accuracy_title'), [say('by_' + by), [say('accuracy_sets')], say('right'),
  say('counts_right'), say('false_rate'), say('found')], rows.map((row) => [groupName[by]?.(row.group) ?? row.group,
  number(row.sets), rightCell(row.right), shareText(row.counts_within_one), rateText(row.false_sets_an_hour),
  shareText(row.recall)]));

function sentences(row) {
  const rate = row.false_sets_an_hour;
  return el('ul', { className: 'figures' }, sentence('accuracy_right', row.right), rate && el('li', {}, say('accuracy_false',
    { n: number(rate.value, 1), low: number(rate.low, 1), high: number(rate.high, 1) })),
  sentence('accuracy_counts', row.counts_within_one), sentence('accuracy_found', row.recall),
  el('li', {}, say('accuracy_from',
    { answers: many('answers', row.right.answers), sets: many('sets', row.sets) })));
}

async function loadAccuracy() {
  const by = byId('by').value;
  try {
    const rows = await get('accuracy', { by });
    const months = by === 'all' ? await get('accuracy', { by: 'month' }) : [];
    const isKnown = rows.some((row) => row.right);
    byId('accuracy').replaceChildren(...(!isKnown ? [el('p', { className: 'soft' }, say('accuracy_few'))]
      : by === 'all' ? [sentences(rows[0])] : [accuracyTable(by, rows)]),
    ...(months.length > 1 ? [el('h3', {}, say('accuracy_trend')), accuracyTable('month', months)] : []));
  } catch (failure) {
    banner(failure.message);
  }
}

// MARK: what it learned

async function loadLearning() {
  try {
    const status = await get('learning');
    const { state, model, answers, started, message, decision } = status;
    byId('learning').hidden = false;
    byId('learn').disabled = ['running', 'waiting'].includes(state);
    put(byId('learning-state'), say('learning_' + state, { model, message: translated(message), answers: many('answers', answers ?? 0), time: started ? momentOf(started) : '' }));
    byId('reasons').replaceChildren(...(!decision || state === 'running' ? [] : [
      ...decision.reasons.map((reason) => el('li', {}, translated(reason))), el('li', {}, say('learning_held', decision.answers)),
      el('li', {}, say('learning_made', decision.generated))]));
    if (byId('learn').disabled) setTimeout(loadLearning, 3000);
  } catch {
    // The node may restart with its new model.
    setTimeout(loadLearning, 3000);
  }
}

byId('learn').addEventListener('click', async () => {
  await post('learning/start', {}).then(() => banner(null), (failure) => banner(failure.message));
  loadLearning();
});

options(byId('by'), ['all', 'month', 'label', 'camera'].map((by) => [by, say('by_' + by)]));
byId('by').addEventListener('change', loadAccuracy);
state = await loadState();
if (state?.role === 'operator') {
  loadLearning();
  byId('all').replaceChildren(...[...state.model.labels].sort().map((label) => new Option(labelName(label), label)));
  takesLabel(other.elements.label);
  try {
    await load();
  } catch (failure) {
    banner(failure.message);
  }
}
if (state) loadAccuracy();
