// The history: filters, charts with their tables, totals, and the list of sessions.
import { get } from './api.js';
import {
  banner, colour, dayOf, duration, el, labelName, lightScheme, loadState, many, momentOf, number, openPage, options, put,
  say, swatch, table,
} from './common.js';

const spans = ['1d', '7d', '4w', '1y', ''];
const page = 50;
openPage('history');
const byId = (id) => document.getElementById(id);
const form = byId('filters');
const given = new URLSearchParams(location.search);
const filter = { last: given.get('last') ?? '7d', camera: given.get('camera') ?? '', action: given.get('action') ?? '' };
if (filter.last === 'all') filter.last = '';
const charts = {};
let names = {};
let asked = 0;
let limit = page;

form.querySelector('fieldset').append(...spans.map((span) => el('label', {},
  el('input', { type: 'radio', name: 'last', value: span, checked: span === filter.last }),
  el('span', {}, say('span_' + (span || 'all'))))));

async function load() {
  const turn = ++asked;
  const query = { ...filter };
  put(byId('status'), say('loading'));
  try {
    const [days, actions, sessions] = await Promise.all([
      get('history/days', query), get('history/actions', query),
      get('history/sessions', { ...query, limit: limit + 1 })]);
    if (turn !== asked) return;
    banner(null);
    render(days, actions, sessions);
  } catch (failure) {
    if (turn === asked) put(byId('status'), failure.message);
  }
}

function render(days, actions, sessions) {
  const empty = !sessions.length && !actions.length;
  byId('results').hidden = empty;
  byId('empty').hidden = !empty;
  put(byId('empty'), say(filter.camera || filter.action || filter.last ? 'history_empty_filter' : 'history_empty'));
  const shown = sessions.slice(0, limit);
  put(byId('status'), empty ? '' : sessions.length > limit ? say('sessions_newest', { n: number(limit) })
    : many('sessions', sessions.length));
  renderSessions(shown, sessions.length > limit);
  renderDays(days);
  byId('totals').replaceChildren(table(say('totals'), [say('action'), [say('time')], [say('reps')], [say('days_seen')]],
    actions.map((row) => [swatch(row.label), duration(row.seconds), number(row.reps), number(row.days)])));
}

function renderSessions(sessions, more) {
  byId('more').hidden = !more;
  byId('sessions').replaceChildren(table(say('sessions'),
    [say('start'), [say('length')], say('camera'), [say('person')], say('actions'), [say('sets')]],
    sessions.map((session) => [
      el('a', { href: '/session?id=' + encodeURIComponent(session.id) }, momentOf(session.start)),
      duration((Date.parse(session.end) - Date.parse(session.start)) / 1000) + (session.end_reason ? '' : ' ' + say('open')),
      names[session.camera] ?? session.camera, session.track,
      el('span', { className: 'chips' }, session.actions.map((action) => swatch(action.label,
        labelName(action.label) + (action.reps == null ? '' : ' ' + number(action.reps))))),
      number(session.sets?.length ?? 0)])));
}

// One row for each day from the first to the last, also those on which nothing happened; cameras together.
function fill(rows) {
  const byDay = new Map();
  for (const row of rows) {
    const day = byDay.get(row.day) ?? { day: row.day, seconds: {}, reps: {} };
    for (const kind of ['seconds', 'reps']) {
      for (const [label, value] of Object.entries(row[kind] ?? {})) {
        if (!filter.action || label === filter.action) day[kind][label] = (day[kind][label] ?? 0) + value;
      }
    }
    byDay.set(row.day, day);
  }
  const days = [...byDay.keys()].sort();
  const all = [];
  for (let day = days[0]; day && day <= days.at(-1) && all.length < 4000;) {
    all.push(byDay.get(day) ?? { day, seconds: {}, reps: {} });
    day = new Date(Date.parse(day + 'T00:00:00Z') + 86_400_000).toISOString().slice(0, 10);
  }
  return all;
}

function renderDays(rows) {
  const days = fill(rows);
  draw('minutes', days, 'seconds', (seconds) => seconds / 60, 1);
  draw('reps', days, 'reps', (reps) => reps, 0);
}

function draw(name, days, kind, convert, digits) {
  const sums = {};
  for (const day of days) for (const [label, value] of Object.entries(day[kind])) sums[label] = (sums[label] ?? 0) + value;
  const labels = Object.keys(sums).sort((a, b) => sums[b] - sums[a]);
  const busy = days.filter((day) => Object.keys(day[kind]).length).reverse();
  byId(name + '-table').replaceChildren(table(say(name + '_a_day'), [say('day'), ...labels.map((label) => [labelName(label)])],
    busy.map((day) => [dayOf(day.day), ...labels.map((label) => number(convert(day[kind][label] ?? 0), digits))])));
  charts[name]?.destroy();
  const box = byId(name).parentElement;
  box.hidden = !window.Chart || !labels.length;
  if (box.hidden) {
    box.nextElementSibling.open = true;
    return;
  }
  const style = getComputedStyle(document.body);
  const [ink, line] = [style.getPropertyValue('--soft'), style.getPropertyValue('--line')];
  const axis = (grid, more) => ({ stacked: true, grid: { color: line, display: grid, drawBorder: false },
    ticks: { color: ink, maxRotation: 0, autoSkipPadding: 12, ...more } });
  Chart.defaults.font.family = style.fontFamily;
  charts[name] = new Chart(byId(name), {
    type: 'bar',
    data: {
      labels: days.map((day) => dayOf(day.day).replace(/ \d{4}$/, '')),
      datasets: labels.map((label) => ({ label: labelName(label), maxBarThickness: 48, borderRadius: 3,
        backgroundColor: colour(label), data: days.map((day) => convert(day[kind][label] ?? 0)) })),
    },
    options: {
      animation: false, maintainAspectRatio: false, interaction: { mode: 'index', intersect: false },
      scales: { x: axis(false), y: axis(true, { precision: 0, maxTicksLimit: 6 }) },
      plugins: {
        legend: { position: 'bottom', labels: { color: ink, boxWidth: 12, boxHeight: 12 } },
        tooltip: { filter: (item) => item.raw > 0,
          callbacks: { label: (item) => `${item.dataset.label}: ${number(item.raw, digits)}` } },
      },
    },
  });
}

function change() {
  Object.assign(filter, { last: form.last.value, camera: form.camera.value, action: form.action.value });
  const query = new URLSearchParams({ last: filter.last || 'all', camera: filter.camera, action: filter.action });
  for (const [key, value] of [...query]) if (!value) query.delete(key);
  // The address keeps the filters for the way back from a session.
  history.replaceState(null, '', '?' + query);
  limit = page;
  load();
}

form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('change', change);
byId('more').addEventListener('click', async () => {
  const before = limit;
  limit += page;
  await load();
  byId('sessions').querySelectorAll('tbody a')[before]?.focus();
});
lightScheme.addEventListener('change', load);

const state = await loadState();
if (state) {
  names = Object.fromEntries(state.cameras.map((camera) => [camera.camera, camera.name || camera.camera]));
  put(byId('zone'), say('times_in', { zone: state.node.time_zone ?? say('browser_zone') }));
}
// A camera or an action of old sessions may be gone from the configuration: the address still may name it.
const choices = (list, chosen) => (chosen && !list.some(([value]) => value === chosen) ? [...list, [chosen, chosen]] : list);
options(form.camera, choices([['', say('all_cameras')], ...Object.entries(names)], filter.camera), filter.camera);
options(form.action, choices([['', say('all_actions')],
  ...(state?.model.exercises ?? []).map((label) => [label, labelName(label)])], filter.action), filter.action);
if (new URLSearchParams(location.search).has('deleted')) {
  banner(say('deleted'));
  history.replaceState(null, '', '/history');
  setTimeout(() => banner(null), 8000);
}
await load();
