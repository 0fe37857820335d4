// The live page: one card for each camera, fed by the event stream.
import { post } from './api.js';
import {
  announce, banner, clock, colour, duration, el, keep, labelName, many, mark, number, openPage, options, percent, put,
  recall, say, showNode, swatch, table, timeOf,
} from './common.js';
import { Live, mainPerson } from './live.js';
import { drawPose } from './skeleton.js';
import { text } from './text.js';
import { Timeline } from './timeline.js';

const dimAfter = 2000;
const blankAfter = 10_000;
const heldFor = 2000;

openPage('live');
const byId = (id) => document.getElementById(id);
const settings = recall('live', { camera: '', skeleton: true, labels: true });
const cards = new Map();
let lost = 0;

class Card {
  constructor(camera) {
    this.id = camera.camera;
    this.build();
    this.timeline = new Timeline(this.strip, this.window, say('last_minute'),
      { colour, describe: describeWindow, hint: say('window_hint') });
    this.render(camera);
  }

  build() {
    const part = (name, tag, properties, ...children) => (this[name] = el(tag, properties, ...children));
    const figure = (name, key) =>
      el('div', { className: 'figure' }, part(name, 'b', {}), part(name + 'Words', 'span', {}, say(key)));
    const side = (className, key) => el('span', { className }, say(key));
    part('element', 'article', { className: 'card camera' },
      el('div', { className: 'head' }, part('name', 'h2', {}), part('state', 'span', { className: 'state' }),
        part('power', 'button', { type: 'button', className: 'switch', onclick: () => this.toggle() })),
      el('div', { className: 'stage' }, part('canvas', 'canvas', { role: 'img' }),
        el('p', { className: 'legend' }, side('left', 'left_side'), side('right', 'right_side')),
        part('stale', 'p', { className: 'stale' })),
      el('div', { className: 'panel' },
        el('div', { className: 'doing' }, part('label', 'p', { className: 'action' }),
          part('confidence', 'p', { className: 'percent' })),
        el('div', { className: 'meter', 'aria-hidden': 'true' }, part('bar', 'i')),
        el('div', { className: 'figures' }, figure('hero', 'repetitions'), figure('time', 'set_time')),
        part('sets', 'ol', { className: 'sets', 'aria-label': say('sets_so_far') }),
        part('persons', 'div', { className: 'scroll' }),
        part('facts', 'ul', { className: 'facts-line' })),
      part('problems', 'ul', { className: 'findings' }),
      el('div', { className: 'minute' },
        el('h3', {}, say('last_minute')),
        part('strip', 'canvas', { className: 'timeline' }),
        el('div', { className: 'ends soft' }, el('span', {}, say('minute_ago')), el('span', {}, say('now'))),
        part('window', 'p', { className: 'window soft' })),
      part('today', 'details', { className: 'today' }, el('summary', {}, say('today')),
        part('todayTable', 'div', { className: 'scroll' })));
    this.today.open = true;
  }

  async toggle() {
    const wanted = !live.cameras.get(this.id).enabled;
    this.power.disabled = true;
    put(this.power, say('switching'));
    try {
      await post(`cameras/${encodeURIComponent(this.id)}/enabled`, { enabled: wanted });
      // The node tells when it is done; until then the button does not claim anything.
      setTimeout(() => this.settle(), 8000);
      this.wanted = wanted;
    } catch (failure) {
      banner(failure.message);
      setTimeout(() => banner(live.connected ? null : say('lost_connection')), 8000);
      this.settle();
    }
  }

  settle() {
    this.wanted = undefined;
    const camera = live.cameras.get(this.id);
    this.power.disabled = false;
    put(this.power, say(camera?.enabled ? 'switch_off' : 'switch_on'));
    this.power.setAttribute('aria-label', say(camera?.enabled ? 'switch_off_camera' : 'switch_on_camera',
      { name: camera?.name ?? this.id }));
  }

  // What changes with events.
  render(camera) {
    const name = camera.name || camera.camera;
    put(this.name, name);
    this.canvas.setAttribute('aria-label', say('skeletons_of', { name }));
    this.power.hidden = live.state.role !== 'operator';
    if (!this.power.disabled || this.wanted === camera.enabled) this.settle();
    put(this.state, say('state_' + camera.state));
    this.state.className = 'state mark ' + ({ online: 'good', offline: 'bad' }[camera.state] ?? 'soft');
    if (camera.width) this.canvas.style.aspectRatio = `${camera.width} / ${camera.height}`;
    this.list('problems', camera.problems ?? [],
      (problem) => el('li', {}, mark('bad', labelName(problem.code)), ' ', problem.message ?? ''));
    this.renderPersons(camera);
    this.renderToday(camera.today);
  }

  // Rebuilds a list only when its content changed, so that nothing loses the focus or a selection.
  list(part, items, build) {
    const content = JSON.stringify(items);
    if (this[part].content === content) return;
    this[part].content = content;
    this[part].replaceChildren(...items.map(build));
  }

  renderPersons(camera) {
    const persons = camera.persons ?? [];
    const rows = persons.length < 2 ? [] : persons.map((person) => ({
      track: person.track, label: person.label, main: person.prominent, reps: person.set?.reps ?? null }));
    const content = JSON.stringify(rows);
    if (this.persons.content !== content) {
      this.persons.content = content;
      this.persons.replaceChildren(rows.length ? table(say('persons'),
        [say('person'), say('action'), [say('reps')]], rows.map((row) => [
          say(row.main ? 'person_main' : 'person_n', { n: row.track }), swatch(row.label), number(row.reps)])) : '');
    }
    const sets = mainPerson(camera)?.sets?.slice(-4) ?? [];
    this.list('sets', sets, (set) => el('li', {}, swatch(set.label), ' ', el('b', {}, number(set.reps)),
      ` · ${duration(set.seconds)}`, set.form == null ? '' : ' · ' + say('hint', { n: set.form })));
  }

  renderToday(today) {
    const content = JSON.stringify(today);
    if (this.todayTable.content === content) return;
    this.todayTable.content = content;
    const labels = Object.keys(today?.seconds ?? {}).sort((a, b) => today.seconds[b] - today.seconds[a]);
    this.todayTable.replaceChildren(labels.length ? table(say('today'),
      [say('action'), [say('reps')], [say('time')]],
      labels.map((label) => [swatch(label), number(today.reps?.[label]), duration(today.seconds[label])]))
      : el('p', { className: 'soft' }, say('nothing_today')));
  }

  // What changes with time alone.
  tick() {
    const camera = live.cameras.get(this.id);
    const now = live.now();
    const age = live.connected ? live.age(this.id) : Math.max(live.age(this.id), dimAfter);
    const asleep = ['off', 'ended'].includes(camera.state);
    const waiting = camera.state === 'starting' && age > blankAfter;
    const old = age >= dimAfter;
    this.blank = asleep || age > blankAfter;
    this.element.classList.toggle('old', old || asleep);
    put(this.stale, asleep || waiting || age === Infinity ? say('state_' + camera.state) + '.'
      : old ? say('no_data', { time: duration(Math.max(2, Math.floor(age / 1000))) }) : '');

    const person = mainPerson(camera);
    const label = person?.label ?? camera.label;
    const share = this.blank ? null : person?.confidence ?? camera.confidence;
    put(this.label, this.blank ? say('none') : labelName(label));
    put(this.confidence, percent(share));
    this.bar.style.width = 100 * (share ?? 0) + '%';
    this.bar.style.background = colour(label);

    const set = this.blank ? null : person?.set;
    const until = old ? Math.min(now, live.data.get(this.id)?.time ?? now) : now;
    const rest = this.blank || set || !person?.rest_since ? null : until - person.rest_since;
    const last = rest === null ? null : person.sets?.at(-1);
    put(this.hero, set ? number(set.reps) : rest === null ? say('none') : clock(rest));
    put(this.heroWords, say(rest === null ? 'repetitions' : 'rest'));
    this.hero.parentElement.className = 'figure hero' + (rest === null ? set ? '' : ' nothing' : ' resting');
    put(this.time, set ? clock(until - set.start) : last ? number(last.reps) : say('none'));
    put(this.timeWords, set?.number ? say('set_n', { n: set.number }) : say(last ? 'last_set_reps' : 'set_time'));

    const known = (value) => (this.blank || value == null ? say('none') : value);
    this.list('facts', [
      this.blank ? say('people_none') : many('people', camera.people ?? 0),
      say('fps', { n: known(camera.fps == null ? null : number(camera.fps, 1)) }),
      camera.stride > 1 ? say('every_nth', { n: ordinal(camera.stride) }) : say('every_frame'),
      say('dropped', { n: known(number(camera.dropped)) }),
    ], (words) => el('li', {}, words));

    const end = now ?? 0;
    this.timeline.set(live.windows.get(this.id) ?? [], end - 60_000, end);
    if (this.blank) drawPose(this.canvas, null);
    if (!old) this.announceExercise(camera, label, now);
  }

  announceExercise(camera, label, now) {
    if (label === this.announced || now - (camera.since ?? now) < heldFor) return;
    const first = this.announced === undefined;
    this.announced = label;
    const exercise = live.state.model.exercises?.includes(label);
    if (exercise && !first) announce(say('now_doing', { camera: camera.name, label: labelName(label) }));
  }

  draw() {
    this.drawn = true;
    const camera = live.cameras.get(this.id);
    const several = (camera.persons?.length ?? 0) > 1;
    const name = (one) => {
      const person = camera.persons?.find((other) => other.track === one.track);
      const label = person?.label ?? (several ? null : camera.label);
      return label ? labelName(label) + (person?.set ? ' ' + number(person.set.reps) : '') : null;
    };
    drawPose(this.canvas, live.poses.get(this.id),
      { skeleton: settings.skeleton, names: settings.labels ? name : undefined });
  }
}

function ordinal(n) {
  return say('ordinal_' + new Intl.PluralRules(text.locale, { type: 'ordinal' }).select(n), { n });
}

function describeWindow(window) {
  const scores = window.scores?.length ? window.scores : [[window.label, window.confidence]];
  const [first, ...others] = scores.map(([label, share]) => `${labelName(label)} ${percent(share)}`);
  const words = { time: timeOf(window.end), first, others: others.join(', ') };
  return say(others.length ? 'window_with' : 'window_only', words);
}

function arrange() {
  const list = [...live.cameras.values()];
  const chosen = live.cameras.has(settings.camera) ? settings.camera : '';
  for (const [id, card] of cards) {
    if (live.cameras.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  for (const camera of list) {
    if (!cards.has(camera.camera)) {
      const card = new Card(camera);
      cards.set(camera.camera, card);
      byId('cards').append(card.element);
    }
    cards.get(camera.camera).element.hidden = chosen !== '' && chosen !== camera.camera;
  }
  byId('cards').classList.toggle('one', list.length === 1 || chosen !== '');
  const empty = byId('empty');
  empty.hidden = list.length > 0;
  if (live.connected) put(empty, say('no_cameras'));
}

const form = byId('view');
form.skeleton.checked = settings.skeleton;
form.labels.checked = settings.labels;
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('change', () => {
  Object.assign(settings, { camera: form.camera.value, skeleton: form.skeleton.checked, labels: form.labels.checked });
  keep('live', settings);
  arrange();
  for (const card of cards.values()) card.drawn = false;
  redraw();
});

let frame = 0;
function redraw() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    for (const card of cards.values()) if (!card.drawn && !card.blank && !card.element.hidden) card.draw();
  });
}

const live = new Live({
  connection(connected, message) { banner(connected ? null : message ?? say('lost_connection')); },
  state(state) {
    showNode(state);
    const choices = state.cameras.map((one) => [one.camera, one.name || one.camera]);
    options(form.camera, [['', say('all_cameras')], ...choices],
      live.cameras.has(settings.camera) ? settings.camera : '');
    arrange();
    for (const camera of state.cameras) cards.get(camera.camera).render(camera);
    tick();
  },
  camera(camera) {
    if (!cards.has(camera.camera)) arrange();
    cards.get(camera.camera).render(camera);
  },
  pose(pose) {
    const card = cards.get(pose.camera);
    if (card) card.drawn = false;
    redraw();
  },
  setEnd(camera, person, set) {
    announce(say('set_ended', { camera: camera.name, label: labelName(set.label), reps: many('reps', set.reps ?? 0) }));
  },
  lost({ frames }) {
    lost += frames;
    put(byId('lost'), say('frames_left_out', { n: number(lost) }));
  },
});

function tick() {
  if (!live.state) return;
  for (const card of cards.values()) if (!card.element.hidden) card.tick();
}
setInterval(tick, 250);
addEventListener('resize', () => {
  for (const card of cards.values()) card.drawn = false;
  redraw();
});
