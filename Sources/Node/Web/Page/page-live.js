// The live page: one card for each camera, fed by the event stream.
import { get, post } from './api.js';
import { amountOf, announce, banner, begins, byId, clock, colour, confirmed, doing, duration, eachFrame, el, finding,
  isExercise, keep, labelName, many, number, openPage, options, percent, personColour, personMark, put, recall, restOf, say, showNode,
  stateKind, swatch, table, timeOf } from './common.js';
import { drawAreas, loadAreas } from './areas.js';
import { Live, mainPerson } from './live.js';
import { translated } from './sentences.js';
import { drawPose } from './skeleton.js';
import { text, zoneName } from './text.js';
import { Timeline } from './timeline.js';

const heldFor = 2000;
const stripLength = 60_000;
const shownSets = 4;
const switchingFor = 8000;

openPage('live');
const settings = recall('live', { camera: '', skeleton: true, labels: true });
const cards = new Map();
let lost = 0;

class Card {
  constructor(id) {
    this.id = id;
    this.build();
    this.areas = [];
    this.timeline = new Timeline(this.strip, this.window, say('last_minute'), describeWindow, say('window_hint'));
  }

  build() {
    const part = (name, tag, className, ...children) => (this[name] = el(tag, { className }, ...children));
    const side = (className, key) => el('span', { className }, say(key));
    part('element', 'article', 'card camera',
      el('div', { className: 'head' },
        part('name', 'h2', ''), part('state', 'span', ''), part('power', 'button', 'switch')),
      el('div', { className: 'stage' }, part('canvas', 'canvas', ''),
        part('legend', 'p', 'legend', side('left', 'left_side'), side('right', 'right_side')),
        part('stale', 'p', 'stale')),
      el('div', { className: 'panel' },
        el('div', { className: 'doing' }, part('label', 'p', 'action'), part('confidence', 'p', 'percent')),
        el('div', { className: 'meter' }, part('bar', 'i', '')),
        el('div', { className: 'figures' },
          part('heroBox', 'div', '', part('hero', 'b', ''), part('heroWords', 'span', '')),
          el('div', { className: 'figure' }, part('time', 'b', ''), part('timeWords', 'span', ''))),
        part('sets', 'ol', 'sets'), part('facts', 'ul', 'facts-line')),
      part('persons', 'div', 'persons scroll'),
      part('problems', 'ul', 'findings'),
      el('div', { className: 'minute' }, el('h3', {}, say('last_minute')), part('strip', 'canvas', 'timeline'),
        el('div', { className: 'ends soft' }, el('span', {}, say('minute_ago')), el('span', {}, say('now'))),
        part('window', 'p', 'window soft')),
      el('details', { open: live.cameras.size === 1 }, el('summary', {}, say('today')), part('today', 'div', 'scroll')));
    this.power.type = 'button';
    this.power.onclick = () => this.toggle();
    this.canvas.role = 'img';
    this.sets.ariaLabel = say('sets_so_far');
  }

  async toggle() {
    const { enabled, name } = live.cameras.get(this.id);
    const asked = { name: name || this.id };
    if (enabled && !await confirmed(say('switch_off_title', asked), say('switch_off_text'), say('switch_off'))) return;
    this.wanted = !live.cameras.get(this.id).enabled;
    this.settle();
    try {
      await post(`cameras/${encodeURIComponent(this.id)}/enabled`, { enabled: this.wanted });
      // The node tells when it is done; until then the button claims nothing.
      clearTimeout(this.patience);
      this.patience = setTimeout(() => this.settle(true), switchingFor);
    } catch (failure) {
      this.settle(true);
      banner(failure.message);
      setTimeout(() => banner(live.connected ? null : say('lost_connection')), switchingFor);
    }
  }

  settle(done) {
    const { enabled, name } = live.cameras.get(this.id) ?? {};
    if (done || this.wanted === enabled) this.wanted = undefined;
    const [waits, key] = [this.wanted !== undefined, enabled ? 'switch_off' : 'switch_on'];
    this.power.disabled = waits;
    put(this.power, say(waits ? 'switching' : key));
    this.power.ariaLabel = waits ? null : say(key + '_camera', { name: name || this.id });
  }

  // Rebuilds a part only when its content changed, so that nothing loses the focus or a selection.
  fill(part, content, build) {
    const words = JSON.stringify(content);
    if (this[part].content === words) return;
    this[part].content = words;
    this[part].replaceChildren(...build(content));
  }

  // What changes with events.
  render(camera) {
    const name = camera.name || camera.camera;
    put(this.name, name);
    this.canvas.ariaLabel = say('skeletons_of', { name });
    this.power.hidden = live.state.role !== 'operator';
    this.settle();
    if (camera.width) this.canvas.style.aspectRatio = `${camera.width} / ${camera.height}`;
    this.fill('problems', camera.problems ?? [], (problems) =>
      problems.map((problem) => finding('bad', labelName(problem.code), translated(problem.message))));
    const persons = (camera.persons ?? []).map((person) => [
      person.track, say(person.prominent ? 'person_main' : 'person_n', { n: person.track })
        + (person.zone ? ' · ' + zoneName(person.zone) : ''), doing(person, camera).label,
      person.set?.reps, person.fps && Math.round(person.fps),
    ]);
    this.legend.hidden = persons.length > 1;
    this.fill('persons', persons.length > 1 ? persons : [], (rows) => !rows.length ? []
      : [table(say('persons'), [say('person'), say('action'), [say('reps')], [say('fps_seen')]],
        rows.map(([track, person, label, ...numbers]) =>
          [personMark(track, person), swatch(label), ...numbers.map((n) => number(n))]))]);
    this.fill('sets', mainPerson(camera)?.sets ?? [], (sets) => [
      sets.length > shownSets && el('li', {}, say('earlier_sets', { n: number(sets.length - shownSets) })),
      ...sets.slice(-shownSets).map((set) => el('li', {}, swatch(set.label), ' ', el('b', {}, amountOf(set)),
        set.reps ? ` · ${duration(set.seconds)}` : '', set.form == null ? '' : ' · ' + say('score_n', { n: set.form }))),
    ].filter(Boolean));
    const { seconds = {}, reps = {} } = camera.today ?? {};
    const labels = Object.keys(seconds).filter((label) => isExercise(label, live.state.model))
      .sort((a, b) => seconds[b] - seconds[a]);
    const rows = labels.map((label) => [label, number(reps[label]), duration(seconds[label])]);
    this.fill('today', rows, () => [rows.length ? table(say('today'), [say('action'), [say('reps')], [say('time')]],
      rows.map(([label, ...numbers]) => [swatch(label), ...numbers])) : el('p', {}, say('nothing_today'))]);
  }

  // What changes with time alone.
  tick() {
    const camera = live.cameras.get(this.id);
    const { age, asleep, old, blank, until } = live.freshness(camera);
    this.blank = blank;
    this.element.classList.toggle('old', old || asleep);
    this.element.classList.toggle('blank', blank);
    // Without the node nobody knows how its cameras are.
    const state = live.connected ? camera.state : 'unknown';
    put(this.state, say('state_' + state));
    this.state.className = 'state mark ' + stateKind(state);
    const silent = asleep || age === Infinity || (camera.state === 'starting' && blank);
    put(this.stale, silent ? say('state_' + camera.state) : old ? say('no_data', { time: duration(age / 1000) }) : '');
    const person = blank ? null : mainPerson(camera);
    const { label, pauses } = blank ? {} : doing(person, camera);
    const share = blank ? null : person?.confidence ?? camera.confidence;
    put(this.label, labelName(label));
    put(this.confidence, pauses ? say('pause') : percent(share));
    Object.assign(this.bar.style, { width: pauses ? 0 : 100 * (share ?? 0) + '%', background: colour(label) });
    this.tickFigures(person, until);
    const known = (n, digits) => number(blank ? null : n, digits);
    const nth = new Intl.PluralRules(text.locale, { type: 'ordinal' }).select(camera.stride ?? 1);
    this.fill('facts', [
      blank ? say('people_none') : many('people', camera.people ?? 0), say('fps', { n: known(camera.fps, 1) }),
      camera.stride > 1 ? say('every_nth', { n: say('ordinal_' + nth, { n: camera.stride }) }) : say('every_frame'),
      say('dropped', { n: known(camera.dropped) }),
    ], (facts) => facts.map((fact) => el('li', {}, fact)));
    this.timeline.set(live.windows.get(this.id) ?? [], live.now() - stripLength, live.now());
    if (blank) drawPose(this.canvas, null);
    if (!old) this.announceExercise(camera, label);
  }

  tickFigures(person, until) {
    const set = person?.set;
    const rest = restOf(person, until, live.state.model);
    const last = rest === null ? null : person.sets?.at(-1);
    put(this.hero, set ? set.reps ? number(set.reps) : clock(until - set.start)
      : rest === null ? say('none') : clock(rest));
    put(this.heroWords, say(begins(person, live.state.model) ? 'getting_ready'
      : rest !== null ? 'rest' : set && !set.reps ? 'time' : 'repetitions'));
    this.heroBox.className = 'figure hero' + (rest !== null ? ' resting' : set ? '' : ' nothing');
    put(this.time, set ? clock(until - set.start) : last ? amountOf(last) : say('none'));
    put(this.timeWords, set?.number ? say('set_n', { n: set.number }) : say(last ? 'last_set_reps' : 'set'));
  }

  announceExercise(camera, label) {
    if (label === this.announced || live.now() - camera.since < heldFor) return;
    const first = this.announced === undefined;
    this.announced = label;
    if (first || !live.state.model.exercises?.includes(label)) return;
    announce(say('now_doing', { camera: camera.name, label: labelName(label) }));
  }

  draw() {
    this.drawn = true;
    const { persons = [], label } = live.cameras.get(this.id);
    const name = ({ track }) => {
      const person = persons.find((other) => other.track === track) ?? (persons.length < 2 ? { label } : null);
      return person && labelName(doing(person, {}).label) + (person.set?.reps ? ' ' + number(person.set.reps) : '');
    };
    const names = settings.labels ? name : undefined;
    drawPose(this.canvas, live.poses.get(this.id), {
      skeleton: settings.skeleton, names, colourOf: ({ track }) => personColour(track, true),
    });
    drawAreas(this.canvas, this.areas, live.cameras.get(this.id));
  }
}

function describeWindow(window) {
  const scores = window.scores?.length ? window.scores : [[window.label, window.confidence]];
  const [first, ...others] = scores.map(([label, share]) => `${labelName(label)} ${percent(share)}`);
  const words = { time: timeOf(window.end), first, others: others.join(', ') };
  return say(others.length ? 'window_with' : 'window_only', words);
}

function arrange() {
  const chosen = live.cameras.has(settings.camera) ? settings.camera : '';
  for (const [id, card] of cards) {
    if (live.cameras.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  for (const id of live.cameras.keys()) {
    if (!cards.has(id)) {
      cards.set(id, new Card(id));
      byId('cards').append(cards.get(id).element);
    }
    cards.get(id).element.hidden = chosen !== '' && chosen !== id;
  }
  byId('cards').classList.toggle('one', cards.size === 1 || chosen !== '');
  byId('empty').hidden = cards.size > 0;
  if (live.connected) put(byId('empty'), say('no_cameras'));
}

function tick() {
  if (live.state) for (const card of cards.values()) if (!card.element.hidden) card.tick();
}

const drawNew = eachFrame(() => {
  for (const card of cards.values()) if (!card.drawn && !card.blank && !card.element.hidden) card.draw();
});
function redraw(id) {
  for (const card of cards.values()) if (!id || card.id === id) card.drawn = false;
  drawNew();
}

const form = byId('view');
form.skeleton.checked = settings.skeleton;
form.labels.checked = settings.labels;
form.addEventListener('change', () => {
  Object.assign(settings, { camera: form.camera.value, skeleton: form.skeleton.checked, labels: form.labels.checked });
  keep('live', settings);
  arrange();
  tick();
  redraw();
});

const live = new Live({
  state(state) {
    showNode(state);
    put(document.querySelector('[data-text=privacy]'), say(state.pictures === 'aim' ? 'privacy_aim' : 'privacy'));
    const choices = state.cameras.map((camera) => [camera.camera, camera.name || camera.camera]);
    options(form.camera, [['', say('all_cameras')], ...choices], settings.camera);
    arrange();
    for (const camera of state.cameras) {
      cards.get(camera.camera).render(camera);
      // Without its zones the page is still of use, and asks again with the next connection.
      loadAreas(camera.camera).then(({ areas }) => (cards.get(camera.camera) ?? {}).areas = areas, () => {});
    }
    tick();
  },
  camera(camera) {
    if (!cards.has(camera.camera)) arrange();
    cards.get(camera.camera).render(camera);
  },
  pose: (pose) => redraw(pose.camera),
  setEnd: (camera, person, set) => announce(say('set_ended',
    { camera: camera.name, label: labelName(set.label), reps: set.reps ? many('reps', set.reps) : amountOf(set) })),
  lost({ frames }) {
    lost += frames;
    put(byId('lost'), many('frames_left_out', lost));
  },
});
setInterval(tick, 250);

// How many people there are on the whole floor, and how many are usual. Without an answer nothing is claimed.
async function tellFloor() {
  const { people, usual } = await get('occupancy').catch(() => ({}));
  byId('full').hidden = people == null;
  put(byId('full'), [say('people_now', { n: number(people) }), usual != null && say('usual_now', { n: number(usual, 0, 1) })]
    .filter(Boolean).join(' · '));
}
tellFloor();
setInterval(() => document.hidden || tellFloor(), 10_000);
addEventListener('resize', () => redraw());
