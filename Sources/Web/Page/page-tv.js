// The page for the wall: who does what, a large count, timers, and the day's board. It works without any controls.
import {
  banner, clock, colour, el, keep, labelName, minuteOf, number, openPage, percent, put, recall, say, showNode, swatch,
} from './common.js';
import { Live } from './live.js';
import { drawPose } from './skeleton.js';

const mostTiles = 6;
const dimAfter = 2000;
const blankAfter = 10_000;

openPage('tv', true);
const byId = (id) => document.getElementById(id);
const tiles = new Map();

class Tile {
  constructor() {
    const part = (name, tag, className, ...children) => (this[name] = el(tag, { className }, ...children));
    part('element', 'section', 'tile', part('body', 'div', 'tile-body',
      el('div', { className: 'tile-head' }, part('label', 'h2', 'tile-label'), part('place', 'p', 'tile-place')),
      part('count', 'p', 'tile-count'), part('canvas', 'canvas', 'tile-canvas'),
      el('div', { className: 'tile-foot' }, part('timer', 'p', 'tile-timer'), part('more', 'p', 'tile-more'))));
    this.canvas.setAttribute('aria-hidden', 'true');
  }

  bump() {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.count.animate([{ transform: 'scale(1)' }, { transform: 'scale(1.14)' }, { transform: 'scale(1)' }],
      { duration: 280, easing: 'ease-out' });
  }

  render(camera, person, now) {
    const age = live.connected ? live.age(camera.camera) : Math.max(dimAfter, live.age(camera.camera));
    const old = age >= dimAfter;
    this.blank = age > blankAfter || ['off', 'ended'].includes(camera.state);
    const until = old ? Math.min(now, live.data.get(camera.camera)?.time ?? now) : now;
    const set = this.blank ? null : person?.set;
    const rest = !this.blank && !set && person?.rest_since ? until - person.rest_since : null;
    const last = person?.sets?.at(-1);
    this.element.classList.toggle('old', old || this.blank);
    this.element.classList.toggle('resting', rest !== null);
    const label = set?.label ?? person?.label ?? camera.label;
    const state = say('state_' + (camera.state === 'online' ? 'offline' : camera.state));
    put(this.label, this.blank ? state : rest === null ? labelName(label) : say('rest'));
    this.element.style.setProperty('--tone', this.blank ? colour(null) : colour(label));
    const track = camera.persons?.length > 1 ? ' · ' + say('person_n', { n: person.track }) : '';
    put(this.place, (camera.name || camera.camera) + track);
    put(this.count, set?.reps != null ? number(set.reps) : set ? clock(until - set.start)
      : rest !== null ? clock(rest) : say('none'));
    this.count.style.setProperty('--chars', Math.max(2, this.count.textContent.length));
    put(this.timer, old && !this.blank ? say('no_data', { time: say('seconds', { n: Math.floor(age / 1000) }) })
      : set ? `${say('set_n', { n: set.number })} · ${clock(until - set.start)}` : '');
    put(this.more, set ? percent(person.confidence)
      : rest !== null && last ? say('last_set', { label: labelName(last.label), n: number(last.reps) }) : '');
  }

  draw(camera, track) {
    const pose = live.poses.get(camera);
    const people = pose?.people.filter((one) => track == null || one.track === track) ?? [];
    drawPose(this.canvas, this.blank || !people.length ? null : this.crop(pose, people[0]));
  }

  // The part of the picture around the person. It grows at once and shrinks slowly, so that the figure does not jump.
  crop(pose, { joints }) {
    const [xs, ys] = [[], []];
    for (let n = 0; n < joints.length; n += 3) {
      if (joints[n + 2] < 50) continue;
      xs.push((joints[n] / 1000) * pose.width);
      ys.push((joints[n + 1] / 1000) * pose.height);
    }
    if (!xs.length) return null;
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const side = Math.max(1.2 * (bottom - top), 1.2 * (right - left), 0.997 * (this.side ?? 0));
    const ground = Math.max(bottom, (this.ground ?? 0) - 0.003 * side);
    const middle = 0.9 * (this.middle ?? (left + right) / 2) + 0.1 * ((left + right) / 2);
    Object.assign(this, { side, ground, middle });
    const [x, y] = [middle - side / 2, ground - 0.95 * side];
    const moved = joints.map((value, n) => n % 3 === 2 ? value
      : (1000 * (n % 3 ? (value / 1000) * pose.height - y : (value / 1000) * pose.width - x)) / side);
    return { width: side, height: side, people: [{ prominent: true, joints: moved }] };
  }
}

function shown() {
  const list = [];
  for (const camera of live.cameras.values()) {
    if (!camera.enabled) continue;
    const persons = [...(camera.persons ?? [])].sort((a, b) => (b.prominent ?? 0) - (a.prominent ?? 0));
    if (persons.length) list.push(...persons.map((person) => [`${camera.camera}/${person.track}`, camera, person]));
    else list.push([camera.camera, camera, null]);
  }
  // People come before empty cameras; their order stays, so that nobody's tile jumps.
  return list.sort((a, b) => Number(!a[2]) - Number(!b[2])).slice(0, mostTiles);
}

function render() {
  if (!live.state) return;
  const now = live.now();
  const list = shown();
  const keys = new Set(list.map(([key]) => key));
  for (const [key, tile] of tiles) {
    if (keys.has(key)) continue;
    tile.element.remove();
    tiles.delete(key);
  }
  for (const [key, camera, person] of list) {
    if (!tiles.has(key)) tiles.set(key, new Tile());
    const tile = tiles.get(key);
    if (!tile.element.parentElement) byId('tiles').append(tile.element);
    tile.source = [camera.camera, person?.track];
    tile.render(camera, person, now);
  }
  byId('tiles').dataset.count = list.length;
  put(byId('clock'), minuteOf(now));
}

function renderBoard() {
  const totals = {};
  for (const { today } of live.cameras.values()) {
    for (const [label, seconds] of Object.entries(today?.seconds ?? {})) {
      totals[label] ??= { label, seconds: 0, reps: null };
      totals[label].seconds += seconds;
      const reps = today.reps?.[label];
      if (reps != null) totals[label].reps = (totals[label].reps ?? 0) + reps;
    }
  }
  const top = Object.values(totals).sort((a, b) => (b.reps ?? 0) - (a.reps ?? 0) || b.seconds - a.seconds).slice(0, 6);
  byId('board-empty').hidden = top.length > 0;
  byId('board').replaceChildren(...top.map(({ label, seconds, reps }) => el('li', {}, swatch(label),
    el('b', {}, reps === null ? say('none') : number(reps)),
    el('span', { className: 'soft' }, say('minutes', { n: number(Math.round(seconds / 60)) })))));
}

// Sound: two oscillators, no file. Browsers allow it only after a key or a click.
const sound = recall('tv', { sound: false });
let audio;

function tone(frequency, start, length, loud) {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  const at = audio.currentTime + start;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function play(kind) {
  if (!sound.sound || audio?.state !== 'running') return;
  if (kind === 'rep') tone(880, 0, 0.12, 0.3);
  else [523, 659, 784].forEach((frequency, n) => tone(frequency, 0.16 * n, 0.4, 0.3));
}

function renderSound() {
  put(byId('sound'), say(sound.sound ? 'sound_off' : 'sound_on'));
  byId('sound').setAttribute('aria-pressed', sound.sound);
}

async function wakeSound() {
  if (!sound.sound) return;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') await audio.resume().catch(() => {});
}

async function toggleSound() {
  sound.sound = !sound.sound;
  keep('tv', sound);
  renderSound();
  await wakeSound();
  play('rep');
}

let hide;
function showTools() {
  document.body.classList.add('awake');
  clearTimeout(hide);
  hide = setTimeout(() => document.body.classList.remove('awake'), 3000);
}
byId('sound').addEventListener('click', toggleSound);
addEventListener('pointermove', showTools);
addEventListener('pointerdown', () => { showTools(); wakeSound(); });
addEventListener('keydown', (event) => {
  showTools();
  if (event.key === 's' && !event.ctrlKey && !event.metaKey && !event.altKey) toggleSound();
  else wakeSound();
});
renderSound();

let frame = 0;
const live = new Live({
  connection(connected, message) { banner(connected ? null : message ?? say('lost_connection')); },
  state(state) {
    showNode(state);
    render();
    renderBoard();
  },
  camera() {
    render();
    renderBoard();
  },
  pose() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      for (const tile of tiles.values()) tile.draw(...tile.source);
    });
  },
  rep(camera, person) {
    tiles.get(`${camera.camera}/${person.track}`)?.bump();
    play('rep');
  },
  setEnd() { play('set'); },
});
setInterval(render, 250);

// Keeps the screen on where the browser allows it; plain HTTP does not.
const stayAwake = () => document.hidden || navigator.wakeLock?.request('screen').catch(() => {});
document.addEventListener('visibilitychange', stayAwake);
stayAwake();
