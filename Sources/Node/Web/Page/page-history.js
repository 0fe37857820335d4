// The history: filters, charts with their tables, totals, and the list of sessions.
import { get } from './api.js';
import { heatMap, isKnown } from './heat-map.js';
import { banner, byId, colour, dayOf, duration, el, goesOn, isExercise, labelName, lightScheme, loadState, many, momentOf,
  number, openPage, options, put, say, shownOf, swatch, table } from './common.js';
import { translated } from './sentences.js';
import { text, zoneName } from './text.js';

// Days of each span; 0 for all, and for the days between two dates.
const spans = { '1d': 1, '7d': 7, '4w': 28, '1y': 365, all: 0, days: 0 };
const lists = ['days', 'weekdays', 'zones', 'actions', 'cameras', 'sessions', 'sets'];
const mostRows = 5000;
const page = 50;
const maximumDays = 4000;
openPage('history');
const form = byId('filters');
const given = new URLSearchParams(location.search);
const filter = { last: given.get('since') || given.get('until') ? 'days' : given.get('last') in spans ? given.get('last') : '7d',
  since: given.get('since') ?? '', until: given.get('until') ?? '', camera: given.get('camera') ?? '',
  action: given.get('action') ?? '', zone: given.get('zone') ?? '' };
const charts = {};
let [names, state] = [{}, null];
let asked = 0;
let limit = page;

async function load() {
  const turn = ++asked;
  const { last, ...rest } = filter;
  const query = last === 'days' ? rest : { ...rest, since: since(last), until: '' };
  put(byId('status'), say('loading'));
  try {
    // The floor is full of people, whatever they do. Totals have no zone, and zones no action.
    const { action, ...everybody } = query;
    const { zone, ...everywhere } = query;
    const { zone: place, ...all } = everybody;
    const nothing = Object.assign([], { total: '0' });
    const [days, actions, zones, sessions, absences, floor] = await Promise.all([get('history/days', query),
      zone ? nothing : get('history/actions', everywhere), action ? nothing : get('history/zones', everybody),
      get('history/sessions', { ...query, limit }), get('history/cameras', { ...all, limit: page }),
      get('history/weekdays', everybody)]);
    if (turn === asked) {
      offerFiles(query);
      render(days, actions.filter(({ label }) => isShown(label)), zones, sessions);
      renderAbsences(absences);
      renderFloor(floor);
    }
  } catch (failure) {
    if (turn !== asked) return;
    put(byId('status'), failure.message);
    // What a refused filter found before is not what it asks for.
    byId('results').hidden = byId('empty').hidden = true;
  }
}

// The first day of a span that ends today, by the gym's midnights: so the bars of the charts are whole days.
function since(last) {
  if (!spans[last]) return '';
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: state?.node.time_zone }).format();
  return new Date(Date.parse(today) - (spans[last] - 1) * 86_400_000).toISOString().slice(0, 10);
}

// Exercises, and whatever the filter names.
const isShown = (label) => (filter.action ? label === filter.action : isExercise(label, state?.model));

function render(days, actions, zones, sessions) {
  const empty = !sessions.length && !actions.length;
  byId('results').hidden = empty;
  byId('empty').hidden = !empty;
  put(byId('empty'), say(filter.camera || filter.action || filter.zone ? 'history_empty_filter' : 'history_empty'));
  put(byId('status'), empty ? '' : shownOf(sessions, 'sessions'));
  if (empty) return;
  byId('more').hidden = sessions.length >= Math.min(mostRows, Number(sessions.total.replace('>', '')));
  byId('sessions').replaceChildren(table(say('sessions'),
    [say('start'), [say('length')], say('camera'), [say('person')], say('actions'), [say('sets')]],
    sessions.map(sessionRow)));
  // The days, too, are those of the whole camera.
  byId('totals').parentElement.hidden = byId('charts').hidden = Boolean(filter.zone);
  byId('totals').replaceChildren(table(say('totals'),
    [say('action'), [say('time')], [say('reps')], [say('days_seen')]],
    actions.map((row) => [swatch(row.label), duration(row.seconds), number(row.reps), number(row.days)])));
  renderZones(zones);
  const all = everyDay(days);
  chart('minutes', all, 'seconds', (seconds) => seconds / 60, 1);
  chart('reps', all, 'reps', (reps) => reps, 0);
}

function renderAbsences(rows) {
  byId('absences').parentElement.hidden = !rows.length;
  byId('absences').replaceChildren(table(say('absences'),
    [say('camera'), say('away_from'), say('away_until'), [say('length')], say('reason')],
    rows.map((row) => [names[row.camera] ?? row.camera, momentOf(row.start), row.end ? momentOf(row.end) : say('still_away'),
      duration(((row.end ? Date.parse(row.end) : Date.now()) - Date.parse(row.start)) / 1000), reasonOf(row.reason)])));
  put(byId('absences-count'), shownOf(rows, 'absences'));
}

function renderFloor(rows) {
  byId('floor').parentElement.hidden = !isKnown(rows);
  byId('floor').replaceChildren(heatMap(rows));
}

// Each list as a file, with the filters of the page and all rows.
function offerFiles({ action, ...everybody }) {
  const without = { action: ['cameras', 'weekdays', 'zones'], zone: ['cameras', 'actions'] };
  for (const list of lists) {
    const query = Object.entries({ ...everybody, action: without.action.includes(list) ? '' : action,
      ...(without.zone.includes(list) && { zone: '' }), format: 'csv' });
    byId(list + '-csv').href = `/api/v1/history/${list}?` + new URLSearchParams(query.filter(([, value]) => value));
  }
}

const reasonOf = (word) => (word === 'switched_off' ? say('switched_off') : translated(word.replaceAll('_', ' ')));

function renderZones(zones) {
  if (!filter.zone) choose(form.zone, 'all_zones', [...new Set(zones.map((row) => row.zone))].map((one) => [one, zoneName(one)]), '');
  form.zone.parentElement.hidden = !filter.zone && !zones.length;
  byId('zones').parentElement.hidden = !zones.length;
  byId('zones').replaceChildren(table(say('zone_use'),
    [say('zone'), say('camera'), [say('use_time')], [say('sets')], [say('reps')], [say('days_seen')], [say('uses')],
      [say('uses_an_hour')], [say('use_length')], [say('idle_length')], [say('waited')]],
    zones.map((row) => [swatch(row.zone, zoneName(row.zone)), names[row.camera] ?? row.camera, duration(row.seconds),
      number(row.sets), number(row.reps), number(row.days), number(row.uses), number(row.uses_per_hour, 1),
      duration(row.use_seconds), duration(row.idle_seconds), duration(row.waiting_seconds)])));
}

function sessionRow(session) {
  const length = duration((Date.parse(session.end) - Date.parse(session.start)) / 1000);
  const chips = session.actions.map(({ label, reps }) =>
    swatch(label, labelName(label) + (reps == null ? '' : ' ' + number(reps))));
  return [el('a', { href: '/session?id=' + encodeURIComponent(session.id) }, momentOf(session.start)),
    session.end_reason ? length : length + ' ' + say('open'), placeOf(session), session.track,
    el('span', { className: 'chips' }, chips), setsOf(session.sets ?? [])];
}

const placeOf = ({ camera, zone }) => (names[camera] ?? camera) + (zone ? ' · ' + zoneName(zone) : '');

// How many sets there were, and how many of them people corrected.
function setsOf(sets) {
  const corrected = sets.filter((set) => set.corrected).length;
  return number(sets.filter((set) => set.label !== 'none').length)
    + (corrected ? ' ' + say('corrected_sets', { n: number(corrected) }) : '');
}

// A chart tells so many actions apart; the smallest are one bar, and the table has them all.
const mostBars = 8;

// One row for each day from the first to the last, also those on which nothing happened; cameras together.
function everyDay(rows) {
  const byDay = new Map();
  for (const row of rows) {
    const day = byDay.get(row.day) ?? { day: row.day, seconds: {}, reps: {} };
    byDay.set(row.day, day);
    for (const kind of ['seconds', 'reps']) {
      for (const [label, value] of Object.entries(row[kind] ?? {})) {
        if (isShown(label)) day[kind][label] = (day[kind][label] ?? 0) + value;
      }
    }
  }
  const [all, seen] = [[], [...byDay.keys()].sort()];
  for (let day = seen[0]; day && day <= seen.at(-1) && all.length < maximumDays;) {
    all.push(byDay.get(day) ?? { day, seconds: {}, reps: {} });
    day = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  }
  return all;
}

function chart(name, days, kind, convert, digits) {
  const sums = {};
  for (const day of days) {
    for (const [label, value] of Object.entries(day[kind])) sums[label] = (sums[label] ?? 0) + value;
  }
  const labels = Object.keys(sums).sort((a, b) => sums[b] - sums[a]);
  const value = (day, label) => convert(day[kind][label] ?? 0);
  const busy = days.filter((day) => Object.keys(day[kind]).length).reverse();
  byId(name + '-table').replaceChildren(table(say(name + '_a_day'),
    [say('day'), ...labels.map((label) => [labelName(label)])],
    busy.map((day) => [dayOf(day.day), ...labels.map((label) => number(value(day, label), digits))])));
  charts[name]?.destroy();
  const box = byId(name).parentElement;
  // Without Debian's Chart.js the tables tell the same.
  box.hidden = !window.Chart || !labels.length;
  if (box.hidden) box.nextElementSibling.open = true;
  else {
    const bar = (words, background, own) => ({ label: words, maxBarThickness: 48, borderRadius: 3,
      backgroundColor: background, data: days.map((day) => own.reduce((sum, label) => sum + value(day, label), 0)) });
    const rest = labels.length > mostBars ? labels.slice(mostBars - 1) : [];
    const bars = labels.slice(0, labels.length - rest.length).map((label) => bar(labelName(label), colour(label), [label]));
    if (rest.length) bars.push(bar(say('more_actions', { n: number(rest.length) }), colour(), rest));
    charts[name] = new Chart(byId(name), chartSettings(days.map((day) => dayOf(day.day).replace(/ \d{4}$/, '')), bars, digits));
  }
}

function chartSettings(labels, datasets, digits) {
  const style = getComputedStyle(document.body);
  const [ink, line] = [style.getPropertyValue('--soft'), style.getPropertyValue('--line')];
  const axis = (display, ticks) => ({ stacked: true, grid: { color: line, display, drawBorder: false },
    ticks: { color: ink, maxRotation: 0, autoSkipPadding: 12, ...ticks } });
  Chart.defaults.font.family = style.fontFamily;
  return { type: 'bar', data: { labels, datasets }, options: {
    locale: text.locale, animation: false, maintainAspectRatio: false, interaction: { mode: 'index', intersect: false },
    scales: { x: axis(false), y: axis(true, { precision: 0, maxTicksLimit: 6 }) },
    plugins: {
      legend: { position: 'bottom', labels: { color: ink, boxWidth: 12, boxHeight: 12 } },
      tooltip: { filter: (item) => item.raw > 0,
        callbacks: { label: (item) => `${item.dataset.label}: ${number(item.raw, digits)}` } },
    },
  } };
}

form.addEventListener('change', () => {
  Object.assign(filter, { last: form.last.value, camera: form.camera.value, action: form.action.value,
    zone: form.zone.value, since: form.since.value, until: form.until.value });
  showDays();
  // The address keeps the filters: for the way back from a session, and to hand it on.
  const { last, since, until, ...rest } = filter;
  const span = last === 'days' ? { since, until } : { last };
  const given = Object.entries({ ...span, ...rest }).filter(([, value]) => value);
  history.replaceState(null, '', '?' + new URLSearchParams(given));
  limit = page;
  load();
});
byId('more').addEventListener('click', async () => {
  const before = limit;
  limit = Math.min(limit + page, mostRows);
  await load();
  if (document.activeElement === byId('more')) byId('sessions').querySelectorAll('tbody a')[before]?.focus();
});
goesOn(byId('more'));
lightScheme.addEventListener('change', load);

form.querySelector('fieldset').append(...Object.keys(spans).map((span) => el('label', {},
  el('input', { type: 'radio', name: 'last', value: span, checked: span === filter.last }),
  el('span', {}, say('span_' + span)))));
[form.since.value, form.until.value] = [filter.since, filter.until];
function showDays() { byId('days').hidden = filter.last !== 'days'; }
showDays();
state = await loadState();
names = Object.fromEntries((state?.cameras ?? []).map((camera) => [camera.camera, camera.name || camera.camera]));
if (state) put(byId('zone'), say('times_in', { zone: state.node.time_zone ?? say('browser_zone') }));
// The address may name a camera or an action that is gone from the configuration.
function choose(select, first, list, chosen) {
  if (chosen && !list.some(([value]) => value === chosen)) list.push([chosen, chosen]);
  options(select, [['', say(first)], ...list], chosen);
}
choose(form.camera, 'all_cameras', Object.entries(names), filter.camera);
choose(form.zone, 'all_zones', [], filter.zone);
choose(form.action, 'all_actions', (state?.model.exercises ?? []).map((one) => [one, labelName(one)]), filter.action);
if (given.has('deleted')) {
  banner(say('deleted'), true);
  history.replaceState(null, '', '/history');
  setTimeout(() => banner(null), 8000);
}
await load();
