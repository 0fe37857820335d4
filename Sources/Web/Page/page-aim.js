// The page for aiming a camera: a large skeleton, advice, the joints in view, and what can be told from here.
import { get } from './api.js';
import {
  announce, banner, el, labelName, loadState, mark, openPage, options, pairs, percent, put, say, table,
} from './common.js';
import { Live } from './live.js';
import { drawPose } from './skeleton.js';

openPage('aim');
const byId = (id) => document.getElementById(id);
const select = byId('camera');
let told = '';
let held = 0;

// Joints by height: one row for each pair, so that the list reads like a body.
const body = ['ear', 'eye', 'shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle', 'heel', 'foot'];
const kinds = { seen: 'good', unsure: 'warn', outside: 'bad' };

function renderJoints(joints) {
  const states = new Map((joints ?? []).map((joint) => [joint.name.replaceAll('_', ' '), joint.state]));
  const cell = (name) => {
    const state = states.get(name);
    states.delete(name);
    return state ? mark(kinds[state] ?? 'soft', say('joint_' + state)) : null;
  };
  const rows = body.filter((part) => states.has('left ' + part) || states.has('right ' + part))
    .map((part) => [say('joint_' + part), cell('left ' + part), cell('right ' + part)]);
  const middle = [...states.keys()].map((name) => [labelName(name), cell(name), null]);
  const all = [...middle, ...rows];
  byId('joints').replaceChildren(all.length ? table(say('joints'), [say('joint'), say('left'), say('right')], all)
    : el('p', { className: 'soft' }, say('nobody_seen')));
}

function render(aim) {
  const advice = aim.advice ?? [];
  byId('advice').replaceChildren(...(advice.length ? advice.map((one) => el('li', {}, one.message))
    : [el('li', { className: aim.people ? 'well' : '' }, say(aim.people ? 'aim_good' : 'aim_nobody'))]));
  renderJoints(aim.joints);
  pairs(byId('measures'), [
    [say('people_in_view'), aim.people], [say('view_from'), aim.view && say('view_' + aim.view)],
    [say('body_size'), aim.size == null ? null : say('of_height', { n: percent(aim.size) })],
    [say('brightness'), aim.brightness == null ? null : percent(aim.brightness)],
  ]);
  byId('exercises').replaceChildren(...(aim.exercises ?? []).map((one) => {
    const [kind, key] = !one.recognised ? ['bad', 'not_told'] : one.judged ? ['good', 'told_judged'] : ['warn', 'told'];
    return el('li', {}, el('b', {}, labelName(one.label)), ' ', mark(kind, say(key)),
      one.reason ? el('span', { className: 'advice-line' }, one.reason) : null);
  }));
  // A change is read aloud when it lasts, not while somebody walks about.
  const words = [...byId('advice').children].map((item) => item.textContent).join('. ');
  held = words === told ? held + 1 : 0;
  told = words;
  if (held === 2) announce(words);
}

async function poll() {
  if (!document.hidden && select.value) {
    const camera = select.value;
    try {
      const aim = await get(`cameras/${encodeURIComponent(camera)}/aim`);
      if (camera === select.value) render(aim);
      if (live?.connected) banner(null);
    } catch (failure) {
      banner(failure.message);
    }
  }
  setTimeout(poll, 1000);
}

let frame = 0;
function draw() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    const fresh = live.age(select.value) < 2000;
    byId('stage').parentElement.classList.toggle('old', !fresh);
    drawPose(byId('stage'), live.age(select.value) < 10_000 ? live.poses.get(select.value) : null);
  });
}

let live;
const state = await loadState();
if (state) {
  const wanted = new URLSearchParams(location.search).get('camera');
  options(select, state.cameras.map((camera) => [camera.camera, camera.name || camera.camera]), wanted);
  if (state.cameras.length) {
    live = new Live({
      connection: (connected, message) => banner(connected ? null : message ?? say('lost_connection')),
      pose: (pose) => pose.camera === select.value && draw(),
    }, select.value);
    setInterval(draw, 500);
    select.addEventListener('change', () => {
      history.replaceState(null, '', '?camera=' + encodeURIComponent(select.value));
      live.choose(select.value);
      draw();
    });
    poll();
  } else {
    byId('advice').append(el('li', {}, say('no_cameras')));
  }
}
