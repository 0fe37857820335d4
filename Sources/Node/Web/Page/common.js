// What every page shares: words, numbers, header, banner, announcements, and building elements without HTML strings.
import { get, post } from './api.js';
import { translated } from './sentences.js';
import { text } from './text.js';

export const byId = (id) => document.getElementById(id);

// The words for a key, with values in place of {names}.
export const say = (key, values = {}) =>
  (text[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
// The same with a singular: `reps_one` or `reps_many`.
export const many = (key, n, values = {}) => say(key + (n === 1 ? '_one' : '_many'), { ...values, n: number(n) });

let names = {};

export function labelName(label) {
  const words = label ? text.labels[label] ?? names[label] ?? translated(label.replaceAll('_', ' ')) : text.none;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// The name of a camera for people: its own, or else its id.
export const cameraName = (state, id) => state?.cameras.find((camera) => camera.camera === id)?.name || id;

// How many rows there are, also beyond the end of a list; `>100000` is written alike.
export const totalOf = (rows) => rows.total.replace(/\d+/, (n) => number(Number(n)));
// The same with how many of them are shown: `sessions_one`, `sessions_many` or `sessions_newest`.
export const shownOf = (rows, key) => (String(rows.length) === rows.total ? many(key, rows.length)
  : say(key + '_newest', { n: number(rows.length), all: totalOf(rows) }));

// Builds an element. Text children become text nodes, so that names from outside stay text.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value == null || value === false) continue;
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

// Writes only what changed: screen readers and the browser's layout stay quiet.
export function put(element, words) {
  if (element.textContent !== String(words)) element.textContent = words;
}

// A table whose first column names the row. Heads in brackets stand over numbers.
export function table(caption, heads, rows) {
  // On a narrow screen each row becomes a block of lines, and each line begins with its head.
  const cell = (tag, content, n, scope) =>
    el(tag, { className: Array.isArray(heads[n]) ? 'number' : '', scope, 'data-head': n ? [heads[n]].flat()[0] : null },
      content ?? text.none);
  return el('table', { className: heads.length > 3 ? 'wide' : '' }, el('caption', { className: 'hidden' }, caption),
    el('thead', {}, el('tr', {}, heads.map((head, n) => cell('th', head, n, 'col')))),
    el('tbody', {}, rows.map((row) =>
      el('tr', {}, row.map((content, n) => (n ? cell('td', content, n) : cell('th', content, n, 'row')))))));
}

// Names and values for a description list, without those that are not known.
export function pairs(list, rows) {
  const shown = rows.filter(([, value]) => value != null && value !== '');
  list.replaceChildren(...shown.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

export function options(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, words]) => new Option(words, value, false, value === chosen)));
}

// A sign and a word with it, so that nothing is told by colour alone; `advice` is a second line.
export const mark = (kind, words) => el('span', { className: 'mark ' + kind }, words);
export const finding = (kind, words, more, advice) => el('li', {}, mark(kind, words), more ? ' ' + more : null,
  advice ? el('span', { className: 'advice-line' }, advice) : null);
export const stateKind = (state) => ({ online: 'good', offline: 'bad' })[state] ?? 'soft';

let zone;
function format(moment, settings) {
  return new Intl.DateTimeFormat(text.locale, { ...settings, timeZone: zone }).format(new Date(moment));
}
export const timeOf = (moment) => format(moment, { timeStyle: 'medium' });
export const minuteOf = (moment) => format(moment, { timeStyle: 'short' });
export const momentOf = (moment) => format(moment, { dateStyle: 'medium', timeStyle: 'short' });
export const dayOf = (day) =>
  new Date(day + 'T00:00:00Z').toLocaleDateString(text.locale, { dateStyle: 'medium', timeZone: 'UTC' });
export const number = (n, digits = 0, most = digits) => n == null ? text.none
  : n.toLocaleString(text.locale, { minimumFractionDigits: digits, maximumFractionDigits: most });
export const percent = (share) => (share == null ? text.none : Math.round(100 * share) + ' %');

// The exercise of a workout's step, with the side that works: Lunge (left).
export const stepName = ({ action, side }) => labelName(action) + (side ? ` (${say('side_' + side)})` : '');

// 1:05, or 1:02:05: for clocks that run.
// What a set is counted in: its repetitions, or its length where the exercise is held.
export const amountOf = (set) => (set.reps ? number(set.reps) : duration(set.seconds));

export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return (hours ? hours + ':' + two(minutes) : minutes) + ':' + two(seconds % 60);
}

// 0.3 s, 45 s, 3 min 20 s, 2 h 5 min: for lengths that stand still, as the commands write them.
export function duration(seconds) {
  if (seconds == null) return text.none;
  if (seconds < 9.95) return say('seconds', { n: number(seconds, Number.isInteger(Math.round(10 * seconds) / 10) ? 0 : 1) });
  const whole = Math.round(seconds);
  const parts = [[Math.floor(whole / 86_400), 'days'], [Math.floor(whole / 3600) % 24, 'hours'],
    [Math.floor(whole / 60) % 60, 'minutes'], [whole % 60, 'seconds']];
  const first = Math.max(0, parts.findIndex(([n]) => n));
  return parts.slice(first, first + 2).filter(([n]) => n).map(([n, unit]) => say(unit, { n })).join(' ');
}

// Eight colours that stay apart for most colour-blind people; the second row is for light pages.
const colours = [
  ['#f5b14c', '#5cc4f2', '#ff8069', '#b79cff', '#55d6a5', '#f58fc2', '#e8d75a', '#7d9bff', '#5b6470'],
  ['#b26a00', '#0b7db3', '#cc4b33', '#7350d6', '#12825b', '#b8417f', '#857300', '#3c5cd6', '#949ca6'],
];
const quiet = ['other', 'no_person', 'low_confidence', 'starting', 'none'];
const known = [];
export const lightScheme = matchMedia('(prefers-color-scheme: light)');
const coloursOf = (onBlack) => colours[lightScheme.matches && !onBlack ? 1 : 0];
const isDark = () => document.documentElement.classList.contains('dark');
export function colour(label, onBlack = isDark()) {
  const row = coloursOf(onBlack);
  if (!label || quiet.includes(label)) return row[8];
  if (!known.includes(label)) known.push(label);
  const place = known.indexOf(label);
  return shade(row[place % 8], shades[Math.floor(place / 8) % shades.length]);
}

// Labels beyond the eighth get lighter and darker shades of the same colours: the share of white or black.
const shades = [[0, 0], [255, 0.4], [0, 0.35], [255, 0.65], [0, 0.6]];
function shade(hex, [towards, share]) {
  const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return '#' + parts.map((part) => Math.round(part + (towards - part) * share).toString(16).padStart(2, '0')).join('');
}

// A person's own colour, as long as they are followed.
export const personColour = (track, onBlack = isDark()) => coloursOf(onBlack)[track % 8];
export const personMark = (track, words) => coloured('swatch person', personColour(track), words);

// What to call what a person does: the exercise of an open set until the set ends, else what is seen now.
// `pauses` says that the set is open and another movement is seen.
export function doing(person, camera) {
  const now = person?.label ?? camera.label;
  const label = person?.set?.label ?? now;
  return { label, pauses: label !== now };
}

// Whether somebody does an exercise of which no set is counted yet.
export const begins = (person, model) => Boolean(person) && !person.set && isExercise(person.label ?? 'none', model);

// Milliseconds since the last set ended; `null` in a set, and for somebody who begins an exercise.
export function restOf(person, until, model) {
  if (person?.set || !person?.rest_since || begins(person, model)) return null;
  return until - person.rest_since;
}

// Whether a label is an exercise, of this model or of a former one. The others fill the time in between.
export const isExercise = (label, model) =>
  !quiet.includes(label) && (!model?.labels?.includes(label) || model.exercises.includes(label));

export const swatch = (label, words = labelName(label)) => coloured('swatch', colour(label), words);

function coloured(className, background, words) {
  const spot = el('i', { className });
  spot.style.background = background;
  return el('span', { className: 'label' }, spot, words);
}

// Asks before something that others notice; resolves to whether it was confirmed.
export function confirmed(title, words, go) {
  const dialog = el('dialog', { id: 'confirm', 'aria-labelledby': 'confirm-title' }, el('h2', { id: 'confirm-title' }, title),
    el('p', {}, words), el('form', { method: 'dialog', className: 'controls' },
      el('button', { value: '', autofocus: true }, say('cancel')), el('button', { value: 'yes', className: 'danger' }, go)));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener('close', () => [resolve(dialog.returnValue === 'yes'), dialog.remove()]));
}

// The label in a field, as the node takes it: `Bankdrücken` becomes `bankdruecken`, and the words of the page become
// its labels. A label of the field's list stays as it is.
export function labelOf(input) {
  const words = input.value.trim();
  if ([...input.list?.options ?? []].some((option) => option.value === words)) return words;
  const known = Object.entries({ ...names, ...text.labels }).find(([, name]) => name.toLowerCase() === words.toLowerCase());
  return known ? known[0] : words.toLowerCase().replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter])
    .replaceAll('ß', 'ss').normalize('NFKD').replace(/[\u0300-\u036f]/g, '').replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
}

// Lets a field show what becomes of the words that were typed into it.
export const takesLabel = (input) => input.addEventListener('change', () => (input.value = labelOf(input)));

// Who reaches the end of a list gets more of it, as if the button had been pressed.
export const goesOn = (button) => new IntersectionObserver(([end]) => end.isIntersecting && button.click(),
  { rootMargin: '400px' }).observe(button);

// Calls `draw` with the next frame, however often it is asked for.
export function eachFrame(draw) {
  let frame = 0;
  return () => (frame ||= requestAnimationFrame(() => [frame = 0, draw()]));
}

// What the person chose, kept in this browser only. Private windows may forbid it.
export function recall(key, standard) {
  try {
    return { ...standard, ...JSON.parse(localStorage.getItem('spotter.' + key)) };
  } catch {
    return { ...standard };
  }
}
export function keep(key, value) {
  try {
    localStorage.setItem('spotter.' + key, JSON.stringify(value));
  } catch { /* the choice lasts as long as the page */ }
}

const spoken = el('p', { className: 'hidden', 'aria-live': 'polite' });
let lastSpoken = -Infinity;
let waiting = [];
let speaking;
// Tells screen readers, at most once in five seconds; of what waits, the newest two are kept.
export function announce(message) {
  waiting = [...waiting, message].slice(-2);
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    lastSpoken = performance.now();
    spoken.textContent = waiting.join(' ');
    waiting = [];
  }, Math.max(100, lastSpoken + 5000 - performance.now()));
}

const bannerBox = el('p', { className: 'banner', role: 'status' });
let restartsUntil = 0;
// Troubles stand out; `isGood` is for what went well.
export function banner(message, isGood = false) {
  // A node that was told to start again is away for a moment, which is no trouble.
  const restarts = message && !isGood && performance.now() < restartsUntil;
  bannerBox.classList.toggle('good', isGood || Boolean(restarts));
  put(bannerBox, restarts ? say('restarts') : message ?? '');
}
export function expectRestart() { restartsUntil = performance.now() + 15_000; }

const pages = [['live', '/'], ['tv', '/tv'], ['workouts', '/workouts'], ['history', '/history'], ['aim', '/aim'],
  ['train', '/train'], ['node', '/node']];
const nodeName = el('span');
const account = el('span');

// Fills the words of a page and builds its header. `bare` pages have no header.
export function openPage(name, bare = false) {
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = say(element.dataset.text);
  for (const element of document.querySelectorAll('[data-label]')) element.ariaLabel = say(element.dataset.label);
  document.title = say('title_' + name) + ' · Spotter';
  // Forms here have no address to go to; Enter in a checkbox would load the page again.
  addEventListener('submit', (event) => event.target.method === 'dialog' || event.preventDefault());
  document.body.append(spoken);
  document.body.prepend(bannerBox);
  if (bare) return;
  const here = { session: 'history', learn: 'train' }[name] ?? name;
  const links = pages.map(([page, href]) =>
    el('li', {}, el('a', { href, 'aria-current': page === here ? 'page' : null }, say('nav_' + page))));
  const logo = el('img', { src: '/assets/icon.svg', alt: 'Spotter', width: 32, height: 32 });
  document.body.prepend(el('a', { className: 'skip', href: '#main' }, say('skip')),
    el('header', {}, el('a', { className: 'brand', href: '/' }, logo, nodeName),
      el('nav', { 'aria-label': say('pages') }, el('ul', {}, links)), account));
}

// Takes over what the state says about the node: its name, its time zone, the role.
export function showNode(state) {
  try {
    zone = new Intl.DateTimeFormat('en', { timeZone: state.node.time_zone ?? undefined }).resolvedOptions().timeZone;
  } catch { /* a zone that this browser does not know: its own has to do */ }
  names = state.model.names ?? {};
  for (const label of state.model.exercises ?? state.model.labels ?? []) colour(label);
  put(nodeName, [state.node.name || state.node.id, state.node.site].filter(Boolean).join(' · '));
  // Built once, so that it keeps the focus when the state is read again.
  if (account.hasChildNodes()) return;
  const next = encodeURIComponent(location.pathname + location.search);
  if (state.role === 'viewer') account.replaceChildren(el('a', { href: '/login?next=' + next }, say('sign_in')));
  else if (recall('login').done) {
    account.replaceChildren(el('button', { type: 'button', onclick: signOut }, say('sign_out')));
  }
}

async function signOut() {
  await post('logout', {}).catch((failure) => banner(failure.message));
  keep('login', { done: false });
  location.assign('/login');
}

// The state for pages without a stream of all cameras; `null` after an error, which the banner tells. From then on such a
// page asks for alarms.
let watches = false;
export async function loadState() {
  if (!watches) import('./alarm.js').then(({ watchAlarms }) => watchAlarms());
  watches = true;
  try {
    const state = await get('state');
    showNode(state);
    return state;
  } catch (failure) {
    banner(failure.message);
    return null;
  }
}
