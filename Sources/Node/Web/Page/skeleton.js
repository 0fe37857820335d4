// Draws people as skeletons on black.
const sides = { left: '#ffb454', right: '#5cc8ff', middle: '#e9edf2' };
const minimumConfidence = 50;
// The joints of a pose, in the order in which the node sends them.
const [nose, , rightShoulder, rightElbow, rightWrist, leftShoulder, leftElbow, leftWrist, rightHip, rightKnee,
  rightAnkle, leftHip, leftKnee, leftAnkle, rightEye, leftEye] = Array(18).keys();

const bones = [
  [leftShoulder, leftElbow, 'left'], [leftElbow, leftWrist, 'left'], [leftShoulder, leftHip, 'left'],
  [leftHip, leftKnee, 'left'], [leftKnee, leftAnkle, 'left'],
  [rightShoulder, rightElbow, 'right'], [rightElbow, rightWrist, 'right'], [rightShoulder, rightHip, 'right'],
  [rightHip, rightKnee, 'right'], [rightKnee, rightAnkle, 'right'],
  [leftShoulder, rightShoulder, 'middle'], [leftHip, rightHip, 'middle'],
];
const dots = [[nose, 'middle'], [leftEye, 'left'], [rightEye, 'right'],
  ...[leftShoulder, rightShoulder, leftElbow, rightElbow, leftWrist, rightWrist, leftHip, rightHip, leftKnee, rightKnee,
    leftAnkle, rightAnkle].map((joint) => [joint, null])];

// Gives the canvas as many pixels as it covers on the screen; returns its context, cleared, in CSS pixels.
export function fit(canvas) {
  const [scale, wide, high] = [devicePixelRatio || 1, canvas.clientWidth, canvas.clientHeight];
  const [width, height] = [Math.round(wide * scale), Math.round(high * scale)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, wide, high);
  return context;
}

// The place of a joint in the picture, each 0…1; `null` where the network is not sure.
export function place(joints, joint) {
  return joints[3 * joint + 2] < minimumConfidence ? null : [joints[3 * joint] / 1000, joints[3 * joint + 1] / 1000];
}

// Where a picture of this size lies in the canvas: left, top, width and height in CSS pixels.
export function pictureBox(canvas, { width, height }) {
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  const scale = Math.min(wide / (width || wide), high / (height || high));
  const [across, down] = width ? [width * scale, height * scale] : [wide, high];
  return [(wide - across) / 2, (high - down) / 2, across, down];
}

// `names` may give the words over a person's head, `colourOf` the colour of each of several people. A person alone has left
// and right apart. Without a pose the canvas stays black.
export function drawPose(canvas, pose, { skeleton = true, names, colourOf } = {}) {
  const context = fit(canvas);
  if (!pose) return;
  const size = [canvas.clientWidth, canvas.clientHeight];
  const [left, top, across, down] = pictureBox(canvas, pose);
  const people = [...pose.people].sort((a, b) => Number(a.prominent ?? false) - Number(b.prominent ?? false));
  for (const person of people) {
    const points = Array.from({ length: person.joints.length / 3 }, (_, joint) => place(person.joints, joint))
      .map((point) => point && [left + point[0] * across, top + point[1] * down]);
    const strong = person.prominent || people.length === 1;
    context.globalAlpha = strong ? 1 : 0.7;
    // The lines of somebody far away are thinner, so that the figure can be told.
    const rows = points.filter(Boolean).map((point) => point[1]);
    const thickness = Math.min(down / (strong ? 85 : 120), (Math.max(...rows) - Math.min(...rows)) / 14);
    const tint = people.length > 1 ? colourOf?.(person) : null;
    if (skeleton) drawFigure(context, points, Math.max(1.5, thickness), tint);
    const words = names?.(person);
    if (words) drawName(context, words, points, size, Math.max(13, down / 24));
  }
  context.globalAlpha = 1;
}

function drawFigure(context, points, thickness, tint) {
  Object.assign(context, { lineWidth: thickness, lineCap: 'round' });
  context.strokeStyle = tint ?? sides.middle;
  drawHead(context, points[nose], points[leftShoulder], points[rightShoulder]);
  for (const [from, to, side] of bones) {
    if (!points[from] || !points[to]) continue;
    context.strokeStyle = tint ?? sides[side];
    context.beginPath();
    context.moveTo(...points[from]);
    context.lineTo(...points[to]);
    context.stroke();
  }
  for (const [joint, side] of dots) {
    if (!points[joint]) continue;
    context.fillStyle = side ? tint ?? sides[side] : '#fff';
    context.beginPath();
    context.arc(...points[joint], thickness * (side ? 0.6 : 0.85), 0, 2 * Math.PI);
    context.fill();
  }
}

// A head and a neck, so that the face does not float; their size follows from the distance to the shoulders.
function drawHead(context, face, left, right) {
  if (!face || !left || !right) return;
  const neck = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
  const radius = 0.5 * Math.hypot(face[0] - neck[0], face[1] - neck[1]);
  context.beginPath();
  context.moveTo(...neck);
  context.lineTo((face[0] + neck[0]) / 2, (face[1] + neck[1]) / 2);
  context.moveTo(face[0] + radius, face[1]);
  context.arc(...face, radius, 0, 2 * Math.PI);
  context.stroke();
}

function drawName(context, words, points, [width, height], size) {
  const seen = points.filter(Boolean);
  if (!seen.length) return;
  context.font = `600 ${size}px system-ui, sans-serif`;
  const wide = context.measureText(words).width;
  const middle = (points[nose] ?? seen[0])[0];
  const x = Math.min(Math.max(middle - wide / 2, 8), width - wide - 8);
  const y = Math.min(Math.max(Math.min(...seen.map((point) => point[1])) - 1.8 * size, size + 6), height - 8);
  context.fillStyle = '#000b';
  context.fillRect(x - 6, y - size, wide + 12, size * 1.35);
  context.fillStyle = '#fff';
  context.fillText(words, x, y);
}
