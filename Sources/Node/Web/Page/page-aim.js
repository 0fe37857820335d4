// The page for aiming a camera: a large skeleton, advice, the joints in view, and what can be told from here.
import { get } from './api.js';
import { AreaEditor } from './areas.js';
import { CameraSettings } from './camera-settings.js';
import { announce, banner, byId, eachFrame, el, finding, labelName, loadState, mark, openPage, options, pairs, percent,
  put, say, table } from './common.js';
import { Live } from './live.js';
import { offerPictures, stopPictures } from './pictures.js';
import { translated } from './sentences.js';
import { drawPose } from './skeleton.js';

openPage('aim');
const select = byId('camera');
const stage = byId('stage');
let told = '';
let held = 0;

// Joints by height, one row for each pair, so that the list reads like a body.
const body = ['ear', 'eye', 'shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle', 'heel', 'foot'];
const kinds = { seen: 'good', unsure: 'warn', outside: 'bad' };

function renderJoints(joints) {
  const states = new Map(joints.map((joint) => [joint.name.replaceAll('_', ' '), joint.state]));
  const take = (name) => {
    const state = states.get(name);
    states.delete(name);
    return state && mark(kinds[state] ?? 'soft', say('joint_' + state));
  };
  const rows = body.map((part) => [say('joint_' + part), take('left ' + part), take('right ' + part)]);
  const middle = [...states.keys()].map((name) => [labelName(name), take(name), null]);
  const known = [...middle, ...rows].filter((row) => row[1] || row[2]);
  const list = table(say('joints'), [say('joint'), say('left'), say('right')], known);
  // The nose and the neck belong to neither side.
  for (const row of [...list.tBodies[0].rows].slice(0, middle.length)) {
    row.cells[1].colSpan = 2;
    row.cells[2].remove();
  }
  byId('joints').replaceChildren(known.length ? list : el('p', { className: 'soft' }, say('nobody_seen')));
}

function render(aim) {
  const advice = (aim.advice ?? []).map((one) => translated(one.message));
  if (!advice.length) advice.push(say(aim.people ? 'aim_good' : 'aim_nobody'));
  const well = aim.people && !aim.advice?.length;
  byId('advice').replaceChildren(...advice.map((words) => el('li', { className: well ? 'well' : '' }, words)));
  renderJoints(aim.joints ?? []);
  pairs(byId('measures'), [
    [say('people_in_view'), aim.people], [say('view_from'), aim.view && say('view_' + aim.view)],
    [say('body_size'), aim.size == null ? null : say('of_height', { n: percent(aim.size) })],
    [say('brightness'), aim.brightness == null ? null : percent(aim.brightness)],
  ]);
  // Nothing is wrong as long as nobody is there to be recognised.
  byId('exercises').replaceChildren(...!aim.people ? [el('li', { className: 'soft' }, say('told_later'))]
    : (aim.exercises ?? []).map(({ label, recognised, judged, reason }) => {
    const [kind, key] = !recognised ? ['bad', 'not_told'] : judged ? ['good', 'told_judged'] : ['warn', 'told'];
    return finding(kind, `${labelName(label)}: ${say(key)}`, null, translated(reason));
  }));
  // A change is read aloud when it lasts, not while somebody walks about.
  held = advice.join() === told ? held + 1 : 0;
  told = advice.join();
  if (held === 2) announce(advice.join('. '));
}

async function poll() {
  if (!document.hidden) {
    const camera = select.value;
    try {
      const aim = await get(`cameras/${encodeURIComponent(camera)}/aim`);
      if (camera === select.value) render(aim);
      if (live.connected) banner(null);
    } catch (failure) {
      banner(failure.message);
    }
  }
  setTimeout(poll, 1000);
}

const draw = eachFrame(() => {
  const camera = live.cameras.get(select.value);
  if (!camera) return;
  const { old, blank } = live.freshness(camera);
  stage.parentElement.classList.toggle('old', old);
  if (camera.width) stage.style.aspectRatio = `${camera.width} / ${camera.height}`;
  drawPose(stage, blank ? null : live.poses.get(camera.camera));
  editor.draw(stage, camera);
});

const editor = new AreaEditor({ list: byId('areas'), tools: byId('area-tools'), handles: byId('handles'),
  status: byId('area-status'), redraw: () => live && draw() });

let live;
const state = await loadState();
const cameras = state?.cameras ?? [];
options(select, cameras.map((camera) => [camera.camera, camera.name || camera.camera]),
  new URLSearchParams(location.search).get('camera'));
if (state?.role === 'operator') {
  byId('cameras').hidden = false;
  new CameraSettings({ list: byId('camera-list'), tools: byId('camera-tools'), status: byId('camera-status') }).load();
}
if (cameras.length) {
  byId('area-tools').hidden = state.role !== 'operator';
  live = new Live({ pose: draw }, select.value);
  setInterval(draw, 500);
  select.addEventListener('change', () => {
    history.replaceState(null, '', '?camera=' + encodeURIComponent(select.value));
    live.choose(select.value);
    stopPictures();
    editor.load(select.value);
    draw();
  });
  editor.load(select.value);
  if (state.pictures === 'aim' && state.role === 'operator') offerPictures(select);
  poll();
} else if (state) {
  byId('advice').append(el('li', {}, say('no_cameras')));
}
