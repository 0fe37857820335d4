// The node's page: problems, figures, cameras, broker, versions, the doctor's findings, and the log.
import { get } from './api.js';
import { banner, byId, cameraName, duration, el, finding, labelName, loadState, many, mark, momentOf, number, openPage, pairs, percent,
  put, say, stateKind, table, timeOf } from './common.js';
import { translated } from './sentences.js';

const refresh = 5000;
const doctorSeconds = 90;
openPage('node');
let state;
let logged;

const megabytes = (n) => n == null ? null : n < 10_000 ? say('mb', { n: number(n, n < 10 ? 1 : 0) })
  : say('gb', { n: number(n / 1024, 1) });

function renderHealth(health) {
  const { outbox, mqtt, clock } = health;
  byId('problems').replaceChildren(...(health.problems?.length ? health.problems.map((problem) => finding('bad',
    labelName(problem.code) + (problem.camera ? ` · ${cameraName(state, problem.camera)}` : ''), translated(problem.message),
    say('since', { time: momentOf(problem.since) }))) : [finding('good', say('all_well'), say('no_problems'))]));
  pairs(byId('figures'), [
    [say('uptime'), duration(health.uptime_s)],
    [say('processor'), health.cpu_pct == null ? null : percent(health.cpu_pct / 100)],
    [say('memory'), megabytes(health.mem_mb)], [say('load'), health.load1 == null ? null : number(health.load1, 2)],
    [say('temperature'), health.temp_c == null ? null : say('celsius', { n: number(health.temp_c) })],
    [say('throttled'), health.throttled == null ? null : say(health.throttled ? 'yes' : 'no')],
    [say('disk_free'), megabytes(health.disk_free_mb)], [say('database'), megabytes(health.db_mb)],
    [say('wal'), megabytes(health.wal_mb)], [say('written'), megabytes(health.written_mb)],
    [say('clock'), clock && say('clock_' + clock.state)], [say('viewers'), number(state.viewers)],
  ]);
  byId('cameras').replaceChildren(table(say('cameras'), [say('camera'), say('state'), [say('fps_in')],
    [say('fps_seen')], [say('stride')], [say('drops')], [say('inference')], [say('last_frame')]],
  Object.entries(health.cams ?? {}).map(([id, camera]) => {
    const now = state.cameras.find((one) => one.camera === id)?.state;
    return [cameraName(state, id), now && mark(stateKind(now), say('state_' + now)), number(camera.fps_in, 1),
      number(camera.fps_proc, 1), camera.stride > 1 ? say('one_in', { n: camera.stride }) : say('every_frame'),
      number(camera.dropped), say('ms', { n: number(camera.infer_ms_p95) }),
      camera.last_frame_s === undefined ? say('none')
        : camera.last_frame_s >= 1 ? say('ago', { time: duration(camera.last_frame_s) }) : say('just_now')];
  })));
  pairs(byId('broker'), [
    [say('connection'), say(!mqtt ? 'no_broker' : mqtt.online ? 'connected' : 'not_connected', { n: mqtt?.sid })],
    [say('reconnects'), mqtt && number(mqtt.reconnects)],
    [say('dropped_messages'), mqtt && number(mqtt.dropped_ephemeral)],
    [say('pending'), outbox && number(outbox.pending)],
    [say('oldest'), outbox?.pending ? duration(outbox.oldest_s) : null],
    ...Object.entries(outbox?.acked ?? {}).map(([name, position]) => [say('acked_by', { name }), number(position)]),
  ]);
}

// Without the node nobody knows whether what was well is still well.
function renderUnknown() {
  byId('problems').replaceChildren(finding('warn', say('state_unknown'), say('no_answer')));
  for (const state of byId('cameras').querySelectorAll('.mark')) state.replaceWith(mark('soft', say('state_unknown')));
  pairs(byId('broker'), [[say('connection'), say('state_unknown')]]);
}

function renderInfo(info) {
  pairs(byId('versions'), [
    [say('program'), info.sw], [say('node'), info.node], [say('site'), info.site],
    [say('model'), info.model && `${info.model.id} (${info.model.sha256})`], [say('contract'), info.contract],
    [say('started'), info.started && momentOf(info.started)],
    [say('machine'), [info.host?.model, info.host?.arch].filter(Boolean).join(', ')], [say('system'), info.host?.os],
    [say('time_zone'), state.node.time_zone], [say('pictures'), say('pictures_' + state.pictures)],
    [say('configuration'), info.config_sha256?.slice(0, 12)],
  ]);
}

function renderLog(lines) {
  const newest = JSON.stringify(lines.at(-1) ?? null) + lines.length;
  if (newest === logged) return;
  logged = newest;
  const kinds = { warning: 'warn', error: 'bad', critical: 'bad' };
  const log = byId('log');
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 20;
  log.replaceChildren(...(lines.length ? lines.map((line) => el('p', {}, el('time', {}, timeOf(line.ts)), ' ',
    mark(kinds[line.level] ?? 'soft', line.level), ' ', line.message)) : [el('p', {}, say('log_empty'))]));
  if (atEnd) log.scrollTop = log.scrollHeight;
}

async function load() {
  const fresh = await loadState();
  if (!fresh) return renderUnknown();
  state = fresh;
  const operator = state.role === 'operator';
  byId('doctor').hidden = byId('log-box').hidden = !operator;
  try {
    const [health, info, log] = await Promise.all([get('health'), get('info'), operator ? get('log') : []]);
    renderHealth(health);
    renderInfo(info);
    if (operator) renderLog(log);
    put(byId('updated'), say('updated', { time: timeOf(health.ts ?? state.now) }));
    banner(null);
  } catch (failure) {
    banner(failure.message);
    renderUnknown();
  }
}

byId('check').addEventListener('click', async () => {
  byId('check').disabled = true;
  put(byId('doctor-status'), say('checking'));
  try {
    const findings = await get('doctor', {}, doctorSeconds);
    const bad = findings.filter((one) => one.state === 'bad').length;
    put(byId('doctor-status'), bad ? many('doctor_ill', bad, { all: findings.length })
      : say('doctor_well', { all: findings.length }));
    const order = ['bad', 'warning', 'unknown', 'good'];
    findings.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
    byId('findings').replaceChildren(...findings.map(({ subject, state, text, advice }) => finding(
      ['unknown', 'warning'].includes(state) ? 'warn' : state, `${labelName(subject)}: ${say('doctor_' + state)}`, translated(text), translated(advice))));
  } catch (failure) {
    put(byId('doctor-status'), failure.message);
  }
  byId('check').disabled = false;
});

// One round after the other: a slow node gets no pile of requests.
async function loop() {
  if (!document.hidden) await load();
  setTimeout(loop, refresh);
}
document.addEventListener('visibilitychange', () => document.hidden || load());
loop();
