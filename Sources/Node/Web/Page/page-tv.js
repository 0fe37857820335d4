// The page for the wall: who does what, a large count, timers, and the day's board. It works without any controls.
import { hear, openAudio, playRep, playSet } from './audio.js';
import { amountOf, begins, byId, clock, colour, doing, duration, eachFrame, el, labelName, minuteOf, number, openPage, put,
  restOf, say, showNode, stepName, swatch } from './common.js';
import { Live } from './live.js';
import { translated } from './sentences.js';
import { drawPose, place } from './skeleton.js';
import { noRepsOf, renderSpeeds, speedView } from './speeds.js';
import { zoneName } from './text.js';

const maximumTiles = 6;
const maximumTotals = 6;
// Letters of a name in one line of the board.
const longestName = 30;
openPage('tv', true);
const tiles = new Map();

// A set with a lower confidence is shown pale.
const sure = 0.85;

class Tile {
  constructor() {
    const part = (name, tag, className, ...children) => (this[name] = el(tag, { className }, ...children));
    part('element', 'section', 'tile', part('body', 'div', 'tile-body',
      el('div', { className: 'tile-head' }, part('label', 'h2', 'tile-label'), part('place', 'p', 'tile-place')),
      part('count', 'p', 'tile-count'), part('canvas', 'canvas', 'tile-canvas'),
      el('div', { className: 'tile-foot' }, this.speeds = speedView(), part('timer', 'p', 'tile-timer'), part('more', 'p', 'tile-more'))));
    this.canvas.setAttribute('aria-hidden', 'true');
  }

  bump() {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const shapes = [1, 1.14, 1].map((size) => ({ transform: `scale(${size})` }));
    this.count.animate(shapes, { duration: 280, easing: 'ease-out' });
  }

  render(camera, person) {
    const { age, old, blank, until } = live.freshness(camera);
    this.source = [camera.camera, person?.track];
    this.blank = blank;
    const set = blank ? null : person?.set;
    const rest = blank ? null : restOf(person, until, live.state.model);
    const last = rest === null ? null : person.sets?.at(-1);
    const workout = blank || !person ? null : camera.workouts?.find((one) => one.track === person.track);
    renderSpeeds(this.speeds, workout);
    // What is said of a repetition takes the room of the count.
    this.element.classList.toggle('telling', Boolean(workout && (workout.cue || workout.no_reps || !this.speeds.hidden)));
    if (workout) return this.renderWorkout(camera, workout, old);
    const { label, pauses } = doing(person, camera);
    this.element.classList.toggle('old', old || blank);
    this.element.classList.toggle('resting', rest !== null);
    this.element.classList.toggle('unsure', set?.confidence < sure);
    this.element.style.setProperty('--tone', colour(blank || rest !== null ? null : label));
    this.tell(blank ? say('state_' + (camera.state === 'online' ? 'offline' : camera.state))
      : rest === null ? labelName(label) : say('rest'));
    put(this.place, placeOf(camera, person));
    put(this.count, set ? !set.reps ? clock(until - set.start) : number(set.reps)
      : rest === null ? say('none') : clock(rest));
    this.count.style.setProperty('--chars', Math.max(2, this.count.textContent.length));
    put(this.timer, old && !blank ? say('no_data', { time: say('seconds', { n: Math.floor(age / 1000) }) })
      : set ? `${say('set_n', { n: set.number })} · ${clock(until - set.start)}` : !blank && begins(person, live.state.model) ? say('getting_ready') : '');
    // A count of which the node is unsure is pale. A percentage would read like a mark for the person.
    put(this.more, set ? (pauses ? say('pause') : '')
      : last ? say('last_set', { label: labelName(last.label), n: amountOf(last) }) : '');
  }

  // Somebody who does a workout: what is left of the step, or of the rest.
  renderWorkout(camera, workout, old) {
    const [resting, left] = [workout.phase === 'resting', workout.until ? Date.parse(workout.until) - live.now() : null];
    this.element.classList.toggle('old', old);
    this.element.classList.toggle('resting', resting);
    this.element.classList.remove('unsure');
    this.element.style.setProperty('--tone', colour(workout.action));
    this.tell(resting ? say('rest') : stepName(workout));
    put(this.place, [workout.nickname, workout.private ? null : translated(workout.plan_name), placeOf(camera)].filter(Boolean)
      .join(' · '));
    put(this.count, resting ? clock(left + 999) : workout.planned_s ? clock(1000 * workout.left_s + 999)
      : workout.planned_reps ? `${number(workout.reps)}/${number(workout.planned_reps)}` : number(workout.reps));
    this.count.style.setProperty('--chars', Math.max(2, this.count.textContent.length));
    put(this.timer, [say('step_short', { n: workout.step, all: workout.steps }), !resting && noRepsOf(workout),
      !resting && left !== null && clock(left + 999)].filter(Boolean).join(' · '));
    put(this.more, workout.ignored ? say('ignored_short', { label: labelName(workout.ignored) })
        : resting ? stepName(workout) : translated(workout.cue ?? ''));
  }

  // The longest word has room in one line.
  tell(words) {
    put(this.label, words);
    this.label.style.setProperty('--word', Math.max(1, ...words.split(/[\s-]/).map((word) => word.length)));
  }

  draw() {
    const pose = live.poses.get(this.source[0]);
    const person = pose?.people.find((one) => one.track === this.source[1]);
    drawPose(this.canvas, this.blank || !person ? null : this.crop(pose, person.joints));
  }

  // The part of the picture around the person. It grows at once and shrinks slowly, so that the figure does not jump.
  crop({ width, height }, joints) {
    const points = joints.flatMap((_, n) => (n % 3 ? [] : [place(joints, n / 3)])).filter(Boolean);
    if (!points.length) return null;
    const [xs, ys] = [points.map((point) => point[0] * width), points.map((point) => point[1] * height)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const side = Math.max(1.2 * (bottom - top), 1.2 * (right - left), 0.997 * (this.side ?? 0));
    const ground = Math.max(bottom, (this.ground ?? 0) - 0.003 * side);
    const middle = 0.9 * (this.middle ?? (left + right) / 2) + 0.1 * ((left + right) / 2);
    Object.assign(this, { side, ground, middle });
    const moved = joints.map((value, n) => n % 3 === 0 ? (value * width - 1000 * (middle - side / 2)) / side
      : n % 3 === 1 ? (value * height - 1000 * (ground - 0.95 * side)) / side : value);
    return { width: side, height: side, people: [{ prominent: true, joints: moved }] };
  }
}

// Where somebody is: the zone, or the camera. The number tells those apart who are at the same place.
function placeOf(camera, person) {
  const place = person?.zone ? zoneName(person.zone) : camera.name || camera.camera;
  const there = camera.persons?.filter(({ zone }) => zone === person?.zone).length ?? 0;
  return place + (person && there > 1 ? ' · ' + say('person_n', { n: person.track }) : '');
}

const isAway = (camera) => camera.state !== 'online' && live.freshness(camera).blank;

// People come before empty cameras; their order stays, so that nobody's tile jumps. A camera without pictures has a
// tile only when there is nothing else to show.
function everybody() {
  const enabled = [...live.cameras.values()].filter((camera) => camera.enabled);
  const present = enabled.filter((camera) => !isAway(camera));
  const list = (present.length ? present : enabled.slice(0, 1)).flatMap((camera) =>
    camera.persons?.length ? camera.persons.map((person) => [`${camera.camera}/${person.track}`, camera, person])
      : [[camera.camera, camera, null]]);
  return list.sort((a, b) => Number(!a[2]) - Number(!b[2]) || Number(b[2]?.prominent) - Number(a[2]?.prominent));
}

function render() {
  if (!live.state) return;
  const all = everybody();
  const list = all.slice(0, maximumTiles);
  for (const [key, tile] of tiles) {
    if (list.some(([other]) => other === key)) continue;
    tile.element.remove();
    tiles.delete(key);
  }
  for (const [key, camera, person] of list) {
    if (!tiles.has(key)) {
      tiles.set(key, new Tile());
      byId('tiles').append(tiles.get(key).element);
    }
    tiles.get(key).render(camera, person);
  }
  byId('tiles').dataset.count = list.length;
  put(byId('clock'), minuteOf(live.now()));
  const hidden = all.slice(maximumTiles).filter(([, , person]) => person).length;
  const away = [...live.cameras.values()].filter((camera) => camera.enabled && isAway(camera));
  put(byId('away'), [...hidden > 0 ? [say('not_shown', { n: number(hidden) })] : [],
    ...away.map((camera) => `${camera.name || camera.camera}: ${say('state_' + camera.state)}`)].join(' · '));
}

function renderBoard() {
  const totals = {};
  for (const { today } of live.cameras.values()) {
    for (const [label, seconds] of Object.entries(today?.seconds ?? {})) {
      if (!live.state?.model.exercises.includes(label)) continue;
      const total = (totals[label] ??= { label, seconds: 0, reps: null });
      total.seconds += seconds;
      if (today.reps?.[label] != null) total.reps += today.reps[label];
    }
  }
  const all = Object.values(totals).sort((a, b) => b.reps - a.reps || b.seconds - a.seconds);
  const top = all.slice(0, maximumTotals);
  byId('board-empty').hidden = top.length > 0;
  put(byId('board-more'), all.length > maximumTotals ? say('more_exercises', { n: number(all.length - maximumTotals) }) : '');
  // One line for each name; only the longest ones take two.
  byId('board').style.setProperty('--chars', Math.min(longestName, Math.max(...top.map(({ label }) => labelName(label).length)) + 2));
  byId('board').replaceChildren(...top.map(({ label, seconds, reps }) => el('li', {}, swatch(label),
    el('b', {}, number(reps)),
    el('span', { className: 'soft' }, duration(seconds)))));
}

let hide;
function showTools() {
  document.body.classList.add('awake');
  clearTimeout(hide);
  hide = setTimeout(() => document.body.classList.remove('awake'), 3000);
}
for (const kind of ['pointermove', 'pointerdown', 'keydown']) addEventListener(kind, showTools);
openAudio();

// Nobody's name comes to the wall, whoever has logged in there.
const update = () => [render(), renderBoard()];
const live = new Live({
  state: (state) => [showNode(state), update(), (byId('back').hidden = state.role === 'wall')],
  camera: (camera) => [hear(camera.workouts ?? []), update()],
  pose: eachFrame(() => tiles.forEach((tile) => tile.draw())),
  rep(camera, person) {
    tiles.get(`${camera.camera}/${person.track}`)?.bump();
    playRep();
  },
  setEnd: playSet,
}, '', 'wall');
setInterval(render, 250);
