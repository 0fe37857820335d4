// The page for recording clips, training a model from them, and taking it into use.
import { get, post } from './api.js';
import { announce, banner, byId, eachFrame, el, finding, keep, labelName, labelOf, loadState, many, mark, momentOf,
  number, openPage, options, percent, put, recall, say, table, takesLabel } from './common.js';
import { Live } from './live.js';
import { Replay } from './replay.js';
import { translated } from './sentences.js';
import { drawPose } from './skeleton.js';
import { use } from './text.js';
import { Training } from './training.js';

use('training');
openPage('train');
const [select, stage, form] = [byId('camera'), byId('stage'), byId('record')];
const replay = new Replay();
let clips = [];
let live;
let recording = {};

const button = (words, clip, press) => el('button', { type: 'button', onclick: press, ariaLabel: say('of_clip',
  { what: words, label: labelName(clip.label), person: clip.person, time: momentOf(clip.time) }) }, words);

// MARK: clips

async function loadClips() {
  try {
    const listing = await get('clips', {}, 120);
    clips = listing.clips;
    renderNeeds(listing.needs);
    renderClips();
  } catch (failure) {
    banner(failure.message);
  }
}

function renderNeeds(needs) {
  const wants = (need) => {
    const [more, people] = [many('more_clips', need.wants_clips), many('more_people', need.wants_persons)];
    if (need.wants_clips && need.wants_persons) return mark('warn', say('wants_both', { clips: more, people }));
    if (need.wants_persons) return mark('warn', say('wants_people', { people }));
    return need.wants_clips ? mark('warn', more) : mark('good', say('enough'));
  };
  byId('needs').replaceChildren(needs.length ? table(say('needs_title'),
    [say('label'), [say('clips')], [say('people_count')], say('wants')],
    needs.map((need) => [labelName(need.label), number(need.clips), number(need.persons), wants(need)]))
    : el('p', { className: 'soft' }, say('needs_empty')));
}

function renderClips() {
  put(byId('clips-title'), many('clips', clips.length));
  byId('clips').replaceChildren(table(say('clips'), [say('label'), say('person'), say('recorded'), [say('record_seconds')],
    [say('seen')], [say('cut_off')], ''], clips.map((clip) => [labelName(clip.label), clip.person, momentOf(clip.time),
    clip.figures ? number(clip.figures.seconds, 1) : mark('bad', say('unreadable')), percent(clip.figures?.seen),
    percent(clip.figures?.cut_off), el('span', { className: 'controls' },
      button(say('replay'), clip, () => replay.show(clip)), button(say('relabel'), clip, () => change(clip, 'relabel')),
      button(say('delete'), clip, () => change(clip, 'delete')))])));
  const labels = new Set([...live.state?.model.labels ?? [], ...clips.map((clip) => clip.label)]);
  byId('labels').replaceChildren(...[...labels].sort().map((label) => new Option(labelName(label), label)));
  byId('people').replaceChildren(...[...new Set(clips.map((clip) => clip.person))].sort().map((one) => new Option(one)));
}

// Asks before a clip is deleted, and for the label that it is to get.
function change(clip, kind) {
  const input = byId('change-label').querySelector('input');
  put(byId('change-title'), say(kind + '_title'));
  put(byId('change-text'), say('change_clip', { label: labelName(clip.label), person: clip.person,
    time: momentOf(clip.time) }));
  byId('change-label').hidden = kind === 'delete';
  input.value = clip.label;
  put(byId('change-failed'), '');
  put(byId('change-go'), say(kind + '_yes'));
  byId('change-go').className = kind === 'delete' ? 'danger' : 'primary';
  byId('change-go').onclick = async () => {
    try {
      await post(`clips/${clip.id}/${kind === 'delete' ? 'delete' : 'label'}`, { label: labelOf(input) });
      byId('change').close();
      loadClips();
    } catch (failure) {
      put(byId('change-failed'), failure.message);
    }
  };
  byId('change').showModal();
}

// MARK: recording

function renderRecording(status) {
  const [before, busy] = [recording, status.state !== 'idle'];
  recording = { ...status, until: performance.now() + 1000 * (status.left ?? 0) };
  form.querySelector('.primary').disabled = busy;
  byId('record-stop').hidden = !['countdown', 'recording'].includes(status.state);
  stage.parentElement.classList.toggle('recording', status.state === 'recording');
  if (status.state === 'recording' && before.state === 'countdown') announce(say('record_start'));
  if (busy) return;
  put(byId('count'), '');
  put(byId('record-status'), '');
  if (before.state && before.state !== 'idle') {
    renderOutcome(status.last ?? {});
    loadClips();
  }
}

function renderOutcome({ clip, figures, still, message }) {
  if (!clip) return byId('outcome').replaceChildren(finding('bad', say('record_failed'), null, translated(message)));
  const label = labelName(clip.split('.')[0]);
  const joints = figures.missing.map((joint) => joint.replaceAll('_', ' ')).join(', ');
  const cut = joints ? ['warn', say('record_cut', { n: percent(figures.cut_off), joints })]
    : figures.cut_off > 0.02 ? ['good', say('record_cut_some', { n: percent(figures.cut_off) })]
      : ['good', say('record_whole')];
  const kept = say('record_kept', { n: number(figures.seconds, 1), label });
  byId('outcome').replaceChildren(finding('good', kept, null, still ? say('record_still', { n: number(still, 1) }) : null),
    finding(figures.seen < 0.9 ? 'warn' : 'good', say('record_seen', { n: percent(figures.seen) })), finding(...cut));
  announce(kept);
}

// The seconds run here; the node's state corrects them.
function tick() {
  if (!['countdown', 'recording', 'saving'].includes(recording.state)) return;
  const left = Math.max(0, Math.ceil((recording.until - performance.now()) / 1000));
  const key = { countdown: 'record_ready', recording: 'record_now', saving: 'record_saving' }[recording.state];
  put(byId('record-status'), say(key, { label: labelName(recording.order?.label), n: left }));
  put(byId('count'), recording.state === 'countdown' ? left || '' : '');
}

let again;
async function poll() {
  clearTimeout(again);
  if (!document.hidden) {
    try {
      renderRecording(await get('clips/record'));
      if (live.connected) banner(null);
    } catch (failure) {
      banner(failure.message);
    }
  }
  again = setTimeout(poll, recording.state && recording.state !== 'idle' ? 500 : 3000);
}

form.addEventListener('submit', async () => {
  const { label, person, seconds, countdown } = form.elements;
  const order = { label: labelOf(label), person: person.value, seconds: seconds.valueAsNumber,
    countdown: countdown.valueAsNumber };
  keep('train', order);
  byId('outcome').replaceChildren();
  clearTimeout(again);
  try {
    renderRecording(await post('clips/record', { ...order, camera: select.value }));
  } catch (failure) {
    renderOutcome({ message: failure.message });
  }
  again = setTimeout(poll, 500);
});
byId('record-stop').addEventListener('click', async () => {
  await post('clips/record/stop', {}).then(renderRecording, (failure) => banner(failure.message));
});

const draw = eachFrame(() => {
  const camera = live.cameras.get(select.value);
  if (!camera) return;
  const { old, blank } = live.freshness(camera);
  stage.parentElement.classList.toggle('old', old);
  if (camera.width) stage.style.aspectRatio = `${camera.width} / ${camera.height}`;
  drawPose(stage, blank ? null : live.poses.get(camera.camera));
});

const state = await loadState();
const cameras = state?.cameras ?? [];
byId('refused').hidden = !state || state.role === 'operator';
options(select, cameras.map((camera) => [camera.camera, camera.name || camera.camera]),
  new URLSearchParams(location.search).get('camera'));
if (state?.role === 'operator') {
  byId('work').hidden = false;
  const last = recall('train', { label: '', person: '', seconds: 15, countdown: 5 });
  for (const name of ['label', 'person', 'seconds', 'countdown']) form.elements[name].value = last[name];
  live = new Live({ pose: draw, state: () => clips.length || loadClips() }, select.value);
  setInterval(draw, 500);
  setInterval(tick, 200);
  select.addEventListener('change', () => [live.choose(select.value), draw()]);
  for (const input of [form.elements.label, byId('change-label').querySelector('input')]) takesLabel(input);
  if (!cameras.length) banner(say('no_cameras'));
  poll();
  new Training(replay).run();
}
