// Training, the models, and how they do.
import { get, post } from './api.js';
import { announce, banner, byId, dayOf, duration, el, finding, labelName, mark, number, options, percent, put, say,
  table } from './common.js';
import { translated } from './sentences.js';
import { fit } from './skeleton.js';

const worstShown = 8;
const curves = [['curve_loss', '--bad'], ['curve_training', '--soft'], ['curve_held', '--good']];
const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Training {
  constructor(replay) {
    Object.assign(this, { replay, models: [], status: {} });
    byId('training').addEventListener('submit', () => this.start());
    byId('training').elements.teach.addEventListener('change', () => this.renderForm());
    byId('train-stop').addEventListener('click', () => this.send('training/stop', {}));
    byId('judged').addEventListener('change', () => this.renderEvaluation());
    addEventListener('resize', () => this.drawCurve());
  }

  run() {
    const poll = async () => {
      if (!document.hidden && !this.restarting) await this.send('training');
      setTimeout(poll, this.busy ? 1000 : 5000);
    };
    poll();
  }

  // A status of an earlier version has no verdict.
  get verdict() { return this.status.verdict ?? { is_ready: true }; }

  get busy() { return ['running', 'stopping'].includes(this.status.state); }

  async send(path, body) {
    try {
      const status = await (body ? post(path, body) : get(path));
      if (body) this.refusal = null;
      this.take(status);
    } catch (failure) {
      if (!body) return banner(failure.message);
      this.refusal = failure.message;
      this.renderStatus();
    }
  }

  start() {
    const { name, from, teach } = byId('training').elements;
    return this.send('training/start', { name: name.value, from_model_in_use: from.checked, teach: teach.checked });
  }

  // Teaching always continues the model in use.
  renderForm() {
    const { from, teach } = byId('training').elements;
    from.disabled = teach.checked;
    if (teach.checked) from.checked = true;
  }

  async take(status) {
    const [isFirst, wasBusy] = [!this.status.state, this.busy];
    this.status = status;
    this.renderStatus();
    if (wasBusy && !this.busy) announce(byId('train-status').textContent);
    if (isFirst || (wasBusy && !this.busy)) await this.loadModels();
  }

  renderStatus() {
    const { state, model, reading, now, share, seconds_left: left, message } = this.status;
    const words = {
      idle: () => say('train_idle'), stopping: () => say('train_stopping', { model }),
      running: () => (share != null ? say(left == null ? 'train_starting' : 'train_share', { model, n: percent(share),
        time: duration(left ?? 0) }) : now ? say('train_running', { model, ...now, time: duration(left) })
        : reading && reading.done < reading.clips ? say('train_reading', { model, ...reading })
          : say('train_starting', { model })),
      done: () => say(this.verdict.is_ready ? 'train_done' : 'train_not_ready', { model,
        own: number(this.status.own_clips), made: number(this.status.training_clips - this.status.own_clips),
        held: number(this.status.validation_clips) }),
      failed: () => say('train_failed', { model, message: translated(message) }),
    };
    // While a training runs the words change every second, which nobody wants to hear.
    byId('train-status').ariaLive = this.busy ? 'off' : 'polite';
    put(byId('train-status'), this.refusal ?? words[state]?.() ?? '');
    byId('train-status').className = this.refusal || state === 'failed' || (state === 'done' && !this.verdict.is_ready)
      ? 'bad' : 'soft';
    const { reasons = [], warnings = [], next = [] } = state === 'done' ? this.verdict : {};
    byId('verdict').replaceChildren(...reasons.map((words) => finding('bad', translated(words))),
      ...warnings.map((words) => finding('warn', translated(words))),
      ...next.map((words) => finding('good', say('record_next'), translated(words))));
    byId('train-stop').hidden = state !== 'running';
    put(byId('train-stop'), say(share != null ? 'train_end' : 'train_stop'));
    byId('training').querySelector('.primary').disabled = this.busy;
    // Clips of the motion generator are the program's own matter.
    const rejected = (this.status.rejected ?? []).filter((one) => one.clip.endsWith('.poses.jsonl'));
    const more = (this.status.rejected_found ?? 0) - (this.status.rejected ?? []).length;
    byId('rejected').replaceChildren(...rejected.map((one) => finding('warn', one.clip, translated(one.reason))),
      ...(more > 0 ? [finding('warn', say('rejected_more', { n: number(more) }))] : []));
    byId('course').hidden = !this.status.curve?.length;
    this.drawCurve();
  }

  drawCurve() {
    const { curve } = this.status;
    if (!curve?.length) return;
    const highest = Math.max(...curve.map((pass) => pass.loss), 0.001);
    const values = [(pass) => pass.loss / highest, (pass) => pass.training_accuracy, (pass) => pass.validation?.recall];
    const canvas = byId('curve');
    const context = fit(canvas);
    const [wide, high, edge] = [canvas.clientWidth, canvas.clientHeight, 6];
    Object.assign(context, { lineWidth: 2.5, lineJoin: 'round' });
    values.forEach((value, n) => {
      context.strokeStyle = context.fillStyle = tone(curves[n][1]);
      context.beginPath();
      curve.forEach((pass, at) => {
        const y = value(pass);
        if (y == null) return;
        const point = [edge + (wide - 2 * edge) * at / Math.max(curve.length - 1, 1), edge + (high - 2 * edge) * (1 - y)];
        context.lineTo(...point);
        context.fillRect(point[0] - 2, point[1] - 2, 4, 4);
      });
      context.stroke();
    });
    byId('curve-legend').replaceChildren(...curves.map(([key, name]) => {
      const line = el('i');
      line.style.background = tone(name);
      return el('li', {}, line, say(key, { n: number(highest, 2) }));
    }));
    byId('curve-table').replaceChildren(table(say('curve'), [say('pass'), [say('loss')], [say('accuracy')],
      [say('held_accuracy')], [say('held_recall')]], curve.map((pass) => [number(pass.epoch), number(pass.loss, 3),
      percent(pass.training_accuracy), percent(pass.validation?.accuracy), percent(pass.validation?.recall)])));
  }

  async loadModels() {
    try {
      this.models = await get('models', {}, 60);
    } catch (failure) {
      return banner(failure.message);
    }
    byId('models').replaceChildren(table(say('models_title'), [say('model'), say('created'), [say('accuracy')],
      [say('recall')], say('model_labels'), ''], this.models.map((model) => [
      model.name + (model.configured ? ` (${say('configured')})` : model.trained_here ? ` (${say('trained_here')})` : ''),
      model.created && dayOf(model.created), percent(model.evaluation?.accuracy), percent(model.evaluation?.macro_recall),
      number(model.labels.length), model.in_use ? mark('good', say('in_use'))
        : model.ready === false ? mark('bad', say('not_ready')) : el('button', { type: 'button',
        ariaLabel: say('use_named', { name: model.name }), onclick: () => this.use(model.name) },
      say(model.configured ? 'back_to' : 'use'))])));
    const names = this.models.map((model) => model.name);
    const shown = names.includes(this.status.model) ? this.status.model : this.models.find((one) => one.in_use)?.name;
    options(byId('judged'), names.map((name) => [name, name]), shown ?? names[0]);
    byId('evaluation').hidden = !names.length;
    this.renderEvaluation();
  }

  async use(name) {
    try {
      await post(`models/${encodeURIComponent(name)}/use`, {});
    } catch (failure) {
      return put(byId('use-status'), failure.message);
    }
    this.restarting = true;
    // Not in the banner, which tells meanwhile that the connection is lost.
    put(byId('use-status'), say('restarting', { name }));
    // The node is away for a moment; the page begins anew when it answers with the model.
    const wait = async () => {
      const state = await get('state').catch(() => null);
      if (state?.model.name === name) location.reload();
      else setTimeout(wait, 1000);
    };
    setTimeout(wait, 2000);
  }

  // Both on the same clips where the last training measured that, or else each on its own.
  renderEvaluation() {
    const name = byId('judged').value;
    const model = this.models.find((one) => one.name === name);
    if (!model) return;
    const last = this.status.model === name ? this.status.evaluations ?? [] : [];
    const [fresh, start] = ['new', 'start'].map((which) => last.find((one) => one.of === which));
    const used = this.models.find((one) => one.in_use);
    const mine = fresh?.windows ?? model.evaluation;
    const other = start ? { name: start.model, evaluation: start.windows } : used?.name === name ? null : used;
    put(byId('evaluation-note'), say(!mine ? 'note_none' : start ? 'note_same' : 'note_own'));
    const classes = (evaluation) => new Map((evaluation?.classes ?? []).map((row) => [row.label, row]));
    const [own, theirs] = [classes(mine), classes(other?.evaluation)];
    // A label that no clip shows and no answer names has nothing to tell.
    const shown = [...own.values()].filter((row) => row.windows || row.precision != null);
    const of = (what, who) => [say('of_model', { what: say(what), model: who })];
    const heads = [say('label'), [say('windows')], of('precision', name), of('recall', name),
      ...(other ? [of('precision', other.name), of('recall', other.name)] : [])];
    byId('figures').replaceChildren(mine ? table(say('figures_title'), heads, shown.map((row) => {
      const theirRow = theirs.get(row.label);
      return [labelName(row.label), number(row.windows), percent(row.precision), percent(row.recall),
        ...(other ? [percent(theirRow?.precision), percent(theirRow?.recall)] : [])];
    })) : '');
    this.renderConfusion(mine);
    this.renderWorst(fresh?.clips ?? []);
  }

  renderConfusion(evaluation) {
    const names = evaluation?.classes.map((row) => row.label) ?? [];
    byId('confusion').parentElement.hidden = !names.length;
    const grid = table(say('confusion_title'), [say('shown'), ...[...names.map(labelName), say('unsure')].map((words) =>
      [words])], names.map((label, row) => [labelName(label), ...evaluation.confusion[row].map((n) => number(n))]));
    [...grid.tBodies[0].rows].forEach((row, n) => row.cells[n + 1].classList.add('diagonal'));
    byId('confusion').replaceChildren(grid);
  }

  renderWorst(clips) {
    const score = (clip) => (clip.is_right ? 1 - clip.confidence : 1 + clip.confidence);
    const worst = [...clips].sort((a, b) => score(b) - score(a)).slice(0, worstShown);
    byId('worst-box').hidden = !worst.length;
    put(byId('worst-count'), say('worst_shown', { n: number(worst.length), all: number(clips.length) }));
    byId('worst').replaceChildren(table(say('worst_title'), [say('clip'), say('answer'), [say('confidence')], '', ''],
      worst.map((clip) => {
        const [label, person, file] = clip.clip.split('/');
        const id = [label, person, file?.replace('.poses.jsonl', '')].join('.');
        return [`${labelName(label)} · ${person}`, labelName(clip.answer), percent(clip.confidence),
          mark(clip.is_right ? 'good' : 'bad', say(clip.is_right ? 'right' : 'wrong')),
          el('button', { type: 'button', onclick: () => this.replay.show({ id, label, person }) }, say('replay'))];
      })));
  }
}
