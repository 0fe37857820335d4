// Draws people as skeletons on black.
export const sides = { left: '#ffb454', right: '#5cc8ff', middle: '#e9edf2' };
const leastConfidence = 50;
const nose = 0;

// BlazePose's joints from the shoulders on: the left side has odd numbers, the right side even ones.
const bones = [
  [11, 13], [13, 15], [15, 19], [11, 23], [23, 25], [25, 27], [27, 29], [29, 31], [27, 31],
  [12, 14], [14, 16], [16, 20], [12, 24], [24, 26], [26, 28], [28, 30], [30, 32], [28, 32],
  [11, 12], [23, 24],
].map(([from, to]) => [from, to, side(from) === side(to) ? side(from) : 'middle']);
const dots = [nose, 2, 5, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28];

function side(joint) {
  if (joint === nose) return 'middle';
  if (joint < 9) return joint < 4 || joint === 7 ? 'left' : 'right';
  return joint % 2 ? 'left' : 'right';
}

// Gives the canvas as many pixels as it covers on the screen; returns its context in CSS pixels.
export function fit(canvas) {
  const scale = devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * scale);
  const height = Math.round(canvas.clientHeight * scale);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return context;
}

// `names` may give the words over a person's head; without a pose the canvas stays black.
export function drawPose(canvas, pose, { skeleton = true, names } = {}) {
  const context = fit(canvas);
  if (!pose) return;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const scale = Math.min(width / pose.width, height / pose.height);
  const [across, down] = [pose.width * scale, pose.height * scale];
  const [left, top] = [(width - across) / 2, (height - down) / 2];
  const people = [...pose.people].sort((a, b) => Number(a.prominent ?? false) - Number(b.prominent ?? false));
  for (const person of people) {
    const at = (joint) => person.joints[3 * joint + 2] < leastConfidence ? null : [
      left + (person.joints[3 * joint] / 1000) * across, top + (person.joints[3 * joint + 1] / 1000) * down];
    context.globalAlpha = person.prominent || people.length === 1 ? 1 : 0.5;
    const thickness = Math.max(2, down / (person.prominent ? 85 : 120));
    if (skeleton) drawFigure(context, at, thickness);
    const words = names?.(person);
    if (words) drawName(context, words, person.joints, at, [width, height], down);
  }
  context.globalAlpha = 1;
}

function drawFigure(context, at, thickness) {
  Object.assign(context, { lineWidth: thickness, lineCap: 'round' });
  drawHead(context, at(nose), at(11), at(12));
  for (const [from, to, colour] of bones) {
    const [a, b] = [at(from), at(to)];
    if (!a || !b) continue;
    context.strokeStyle = sides[colour];
    context.beginPath();
    context.moveTo(...a);
    context.lineTo(...b);
    context.stroke();
  }
  for (const joint of dots) {
    const point = at(joint);
    if (!point) continue;
    context.fillStyle = joint < 9 ? sides[side(joint)] : '#fff';
    context.beginPath();
    context.arc(...point, thickness * (joint < 9 ? 0.6 : 0.85), 0, 2 * Math.PI);
    context.fill();
  }
}

// A head and a neck, so that the face does not float; their size follows from the distance to the shoulders.
function drawHead(context, face, left, right) {
  if (!face || !left || !right) return;
  const neck = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
  const [x, y] = [face[0] - neck[0], face[1] - neck[1]];
  const radius = 0.5 * Math.hypot(x, y);
  context.strokeStyle = sides.middle;
  context.beginPath();
  context.moveTo(...neck);
  context.lineTo(neck[0] + x / 2, neck[1] + y / 2);
  context.moveTo(face[0] + radius, face[1]);
  context.arc(...face, radius, 0, 2 * Math.PI);
  context.stroke();
}

function drawName(context, words, joints, at, [width, height], down) {
  const seen = Array.from({ length: joints.length / 3 }, (_, joint) => at(joint)).filter(Boolean);
  if (!seen.length) return;
  const size = Math.max(13, down / 24);
  context.font = `600 ${size}px system-ui, sans-serif`;
  const wide = context.measureText(words).width;
  const middle = at(nose)?.[0] ?? seen[0][0];
  const x = Math.min(Math.max(middle - wide / 2, 8), width - wide - 8);
  const y = Math.min(Math.max(Math.min(...seen.map((point) => point[1])) - 1.8 * size, size + 6), height - 8);
  context.fillStyle = '#000b';
  context.fillRect(x - 6, y - size, wide + 12, size * 1.35);
  context.fillStyle = '#fff';
  context.fillText(words, x, y);
}
