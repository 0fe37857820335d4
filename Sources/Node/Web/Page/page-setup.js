// The page on which a node is set up that nobody has set up yet.
import { get, post } from './api.js';
import { byId, el, many, mark, openPage, options, put, say } from './common.js';
import { drawPose } from './skeleton.js';
import { translated } from './sentences.js';
import { use } from './text.js';

use('setup');
openPage('setup', true);
const form = byId('form');
const field = (name) => form.elements[name];

// The first id of this kind that no camera has.
function freeId() {
  const taken = [...form.querySelectorAll('[name=camera_id]')].map((input) => input.value.trim());
  return taken.concat('').map((_, n) => `camera${n + 1}`).find((id) => !taken.includes(id));
}

// One camera: its fields, and what is seen through it.
function addCamera(id, source) {
  const box = el('fieldset', { className: 'one-camera' });
  const input = (name, words, value, more = {}) => el('label', {}, el('span', {}, say(words)),
    el('input', { name, type: 'text', value, required: name !== 'camera_name', autocomplete: 'off', ...more }));
  const status = el('p', { role: 'status' });
  const canvas = el('canvas', { role: 'img', 'aria-label': say('looked') });
  const stage = el('div', { className: 'stage', hidden: true }, canvas);
  const look = el('button', { type: 'button', className: 'look' }, say('look'));
  const remove = el('button', { type: 'button' }, say('remove_camera'));
  const sources = input('camera_source', 'camera_source', source);
  // As a property, the list cannot be set.
  sources.querySelector('input').setAttribute('list', 'devices');
  box.append(input('camera_id', 'camera_id', id, { pattern: '[a-z0-9][a-z0-9_\\-]*' }), input('camera_name', 'camera_name', ''), sources,
    el('div', { className: 'controls' }, look, remove), status, stage);
  look.addEventListener('click', () => lookThrough(box, look, status, stage, canvas));
  remove.addEventListener('click', () => box.remove());
  byId('cameras').append(box);
}

async function lookThrough(box, button, status, stage, canvas) {
  button.disabled = true;
  stage.hidden = true;
  put(status, say('looking'));
  try {
    const seen = await post('setup/look', { source: box.querySelector('[name=camera_source]').value.trim() });
    if (!seen.good) return status.replaceChildren(mark('bad', translated(seen.text)));
    const { people, width, height } = seen.pose;
    status.replaceChildren(mark('good', people.length ? many('look_people', people.length)
      : say('look_nobody', { size: `${width} × ${height}` })));
    stage.hidden = !people.length;
    canvas.style.aspectRatio = `${width} / ${height}`;
    drawPose(canvas, people.length ? seen.pose : null);
  } catch (failure) {
    status.replaceChildren(mark('bad', failure.message));
  } finally {
    button.disabled = false;
  }
}

const broker = () => ({ address: field('has_broker').checked ? field('broker').value.trim() : 'none',
  tls: field('tls').value === 'file' ? field('authority').value.trim() : field('tls').value,
  user: field('user').value.trim(), password: field('password').value });

async function tryBroker() {
  const [button, status] = [byId('try-broker'), byId('broker-status')];
  button.disabled = true;
  put(status, say('trying'));
  try {
    const { good, text: words, advice } = await post('setup/broker', broker());
    status.replaceChildren(mark(good ? 'good' : 'bad', translated(words)),
      advice ? el('span', { className: 'advice-line' }, translated(advice)) : '');
  } catch (failure) {
    status.replaceChildren(mark('bad', failure.message));
  }
  button.disabled = false;
}

function show() {
  byId('broker').hidden = !field('has_broker').checked;
  byId('authority').hidden = field('tls').value !== 'file';
  put(byId('reach-hint'), say(`reach_${field('reach').value}_hint`));
}

async function finish() {
  const cameras = [...byId('cameras').children].map((box) => Object.fromEntries(['id', 'name', 'source'].map((part) =>
    [part, box.querySelector(`[name=camera_${part}]`).value.trim()])));
  byId('finish').disabled = true;
  put(byId('finish'), say('finishing'));
  put(byId('failed'), '');
  try {
    end(await post('setup', { site: field('site').value.trim(), name: field('name').value.trim(), cameras, broker: broker(),
      reach: field('reach').value }));
  } catch (failure) {
    put(byId('failed'), failure.message);
    put(byId('finish'), say('finish'));
    byId('finish').disabled = false;
  }
}

// Says what was done, and waits for the node, which starts again at the same address.
async function end({ file, reach, password }) {
  form.hidden = true;
  byId('end').hidden = false;
  put(byId('done'), say('done', { file }));
  if (password) byId('own-password').hidden = false;
  put(byId('own-password'), password ? say('own_password', { password }) : '');
  byId('end').querySelector('h2').focus();
  if (reach === 'nobody') return put(byId('away'), say('page_off'));
  put(byId('away'), say('starting_up'));
  for (let tries = 0; tries < 60; tries += 1) {
    await new Promise((done) => setTimeout(done, 1000));
    // The page of the setup has no such file; the node has it, with or without a log-in.
    const answer = await fetch('/member', { cache: 'no-store' }).catch(() => null);
    if (!answer?.ok) continue;
    put(byId('away'), say('it_runs'));
    byId('open').hidden = false;
    return;
  }
  put(byId('away'), say('not_back'));
}

options(field('tls'), ['none', 'system', 'file'].map((value) => [value, say('tls_' + value)]), 'none');
options(field('reach'), ['nobody', 'machine', 'network'].map((value) => [value, say('reach_' + value)]), 'machine');
form.addEventListener('change', show);
form.addEventListener('submit', finish);
byId('try-broker').addEventListener('click', tryBroker);
byId('add').addEventListener('click', () => addCamera(freeId(), ''));
show();
try {
  const { site, name, broker: address, devices } = await get('setup');
  Object.assign(field('site'), { value: site });
  Object.assign(field('name'), { value: name });
  field('broker').value = address === 'none' ? '' : address;
  byId('devices').replaceChildren(...devices.map((device) => el('option', { value: device.source }, device.name)));
  for (const device of devices) addCamera(freeId(), device.source);
  if (!devices.length) addCamera(freeId(), '');
} catch (failure) {
  put(byId('failed'), failure.message);
}
