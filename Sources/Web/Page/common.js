// What every page shares: words, numbers, header, banner, announcements, and building elements without HTML strings.
import { get, post } from './api.js';
import { text } from './text.js';

export function say(key, values = {}) {
  const sentence = text[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// `say` with a singular: `reps_one` or `reps_many`.
export function many(key, n) { return say(key + (n === 1 ? '_one' : '_many'), { n: number(n) }); }

export function labelName(label) {
  if (!label) return text.none;
  const words = text.labels[label] ?? label.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Builds an element. Text children become text nodes, so that names from outside stay text.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value == null || value === false) continue;
    if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

// Writes only what changed: screen readers and the browser's layout stay quiet.
export function put(element, words) {
  if (element.textContent !== String(words)) element.textContent = words;
}

// A table whose first column names the row. `heads` that are [words, true] stand over numbers.
export function table(caption, heads, rows) {
  const numeric = heads.map((head) => Array.isArray(head));
  const cell = (tag, content, n, more) =>
    el(tag, { className: numeric[n] ? 'number' : '', ...more }, content ?? text.none);
  return el('table', {}, el('caption', { className: 'hidden' }, caption),
    el('thead', {}, el('tr', {}, heads.map((head, n) => cell('th', [head].flat()[0], n, { scope: 'col' })))),
    el('tbody', {}, rows.map((row) => el('tr', {}, row.map((content, n) =>
      n ? cell('td', content, n) : cell('th', content, n, { scope: 'row' }))))));
}

export function pairs(list, rows) {
  const shown = rows.filter(([, value]) => value != null && value !== '');
  list.replaceChildren(...shown.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

export function options(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, words]) => new Option(words, value, false, value === chosen)));
}

// A sign and a word with it, so that nothing is told by colour alone.
export function mark(kind, words) { return el('span', { className: 'mark ' + kind }, words); }

let zone;
const format = (settings) => {
  try {
    return new Intl.DateTimeFormat(text.locale, { ...settings, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(text.locale, settings);
  }
};
export const timeOf = (moment) => format({ timeStyle: 'medium' }).format(new Date(moment));
export const minuteOf = (moment) => format({ timeStyle: 'short' }).format(new Date(moment));
export const momentOf = (moment) => format({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment));
export const dayOf = (day) =>
  new Intl.DateTimeFormat(text.locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day + 'T00:00:00Z'));
export const number = (n, digits = 0) => n == null ? text.none
  : n.toLocaleString(text.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const percent = (share) => share == null ? text.none : Math.round(100 * share) + ' %';

// 1:05, or 1:02:05: for clocks that run.
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return (hours ? hours + ':' + two(minutes) : minutes) + ':' + two(seconds % 60);
}

// 45 s, 3 min 20 s, 2 h 5 min: for lengths that stand still.
export function duration(seconds) {
  if (seconds == null) return text.none;
  const whole = Math.round(seconds);
  const parts = [[Math.floor(whole / 86400), 'days'], [Math.floor(whole / 3600) % 24, 'hours'],
    [Math.floor(whole / 60) % 60, 'minutes'], [whole % 60, 'seconds']];
  const first = parts.findIndex(([n]) => n);
  if (first < 0) return say('seconds', { n: 0 });
  return parts.slice(first, first + 2).filter(([n]) => n).map(([n, unit]) => say(unit, { n })).join(' ');
}

// Eight colours that stay apart for most colour-blind people; the second row is for light pages.
const colours = [
  ['#f5b14c', '#5cc4f2', '#ff8069', '#b79cff', '#55d6a5', '#f58fc2', '#e8d75a', '#7d9bff'],
  ['#b26a00', '#0b7db3', '#cc4b33', '#7350d6', '#12825b', '#b8417f', '#857300', '#3c5cd6'],
];
const quiet = ['other', 'no_person', 'low_confidence', 'starting', 'none'];
const known = [];
export function colour(label) {
  const light = lightScheme.matches && !document.documentElement.classList.contains('dark');
  if (!label || quiet.includes(label)) return light ? '#949ca6' : '#5b6470';
  if (!known.includes(label)) known.push(label);
  return colours[light ? 1 : 0][known.indexOf(label) % 8];
}
export const lightScheme = matchMedia('(prefers-color-scheme: light)');

export function swatch(label, words = labelName(label)) {
  const square = el('i', { className: 'swatch' });
  square.style.background = colour(label);
  return el('span', { className: 'label' }, square, words);
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

const spoken = el('p', { className: 'hidden' });
spoken.setAttribute('aria-live', 'polite');
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

const bannerBox = el('p', { className: 'banner' });
bannerBox.setAttribute('role', 'status');
export function banner(message) {
  put(bannerBox, message ?? '');
  bannerBox.classList.toggle('shown', Boolean(message));
}

const pages = [['live', '/'], ['tv', '/tv'], ['history', '/history'], ['aim', '/aim'], ['node', '/node']];
const nodeName = el('span', { className: 'node-name' });
const account = el('span', { className: 'account' });

// Fills the words of a page and builds its header. `bare` pages have no header.
export function openPage(name, bare = false) {
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = say(element.dataset.text);
  for (const element of document.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', say(element.dataset.label));
  }
  document.title = say('title_' + name) + ' · Spotter';
  document.body.append(spoken);
  document.body.prepend(bannerBox);
  if (bare) return;
  const here = name === 'session' ? 'history' : name;
  const links = pages.map(([page, href]) =>
    el('li', {}, el('a', { href, 'aria-current': page === here ? 'page' : null }, say('nav_' + page))));
  document.body.prepend(el('a', { className: 'skip', href: '#main' }, say('skip')),
    el('header', {}, el('a', { className: 'brand', href: '/', 'aria-label': 'Spotter' },
      el('img', { src: '/assets/icon.svg', alt: '', width: 32, height: 32 }), nodeName),
      el('nav', { 'aria-label': say('pages') }, el('ul', {}, links)), account));
}

// Takes over what the state says about the node: its name, its time zone, the role.
export function showNode(state) {
  zone = state.node.time_zone ?? undefined;
  for (const label of state.model.exercises ?? state.model.labels ?? []) colour(label);
  put(nodeName, [state.node.name || state.node.id, state.node.site].filter(Boolean).join(' · '));
  const signedIn = recall('login', {}).done;
  if (state.role === 'viewer') {
    const next = encodeURIComponent(location.pathname + location.search);
    account.replaceChildren(el('a', { href: '/login?next=' + next }, say('sign_in')));
  } else if (signedIn) {
    account.replaceChildren(el('button', { type: 'button', onclick: signOut }, say('sign_out')));
  }
}

async function signOut() {
  await post('logout', {}).catch((failure) => banner(failure.message));
  keep('login', { done: false });
  location.assign('/login');
}

// The state for pages without a stream; `null` after an error, which the banner tells.
export async function loadState() {
  try {
    const state = await get('state');
    showNode(state);
    return state;
  } catch (failure) {
    banner(failure.message);
    return null;
  }
}
