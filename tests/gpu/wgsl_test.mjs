// Runs marrow's shaders in WGSL on WebGPU and holds what they make of vertices against the CPU, number by number:
//
//   node wgsl_test.mjs FOLDER [--break rows|mode|offset]
//
// FOLDER is what marrow_wgsl_cases wrote. Prints for each technique the worst of its cases and ends with
// "N passed, N failed". With --break the test, of one case of each technique then, must fail, which shows that it can:
// `rows` uploads bones with rows and columns of their rotations swapped, `mode` draws what is bound raw and the other
// way round, `offset` gives all characters of a pass the bones of the first.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {open_device, Passes} from './wgsl_passes.mjs';

const POSITION_TOLERANCE = 1e-5;  // of the size of what is skinned; depths too
const NORMAL_TOLERANCE = 1e-5;
const SUM_TOLERANCE = 1e-4;  // of uvs or tangents

// ---- Comparing -----------------------------------------------------------------------------------------------------

const distance = (a, b, i) => Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);

// How far the eight floats of each vertex are from those of the CPU.
function compare(actual, expected, size) {
  const worst = {position: 0, depth: 0, normal: 0, sum: 0, vertex: 0, same_bits: true};
  const bits = [new Uint32Array(actual.buffer), new Uint32Array(expected.buffer)];
  for (let i = 0; i < expected.length; i += 8) {
    const found = {
      position: distance(actual, expected, i) / size,
      depth: Math.abs(actual[i + 3] - expected[i + 3]) / size,
      normal: distance(actual, expected, i + 4),
      sum: Math.abs(actual[i + 7] - expected[i + 7]),
    };
    for (const [name, value] of Object.entries(found)) {
      const off = Number.isNaN(value) ? Infinity : value;
      if (off <= worst[name]) continue;
      worst[name] = off;
      worst.vertex = i / 8;
    }
    for (const k of [0, 1, 2, 4, 5, 6, 7]) worst.same_bits &&= bits[0][i + k] === bits[1][i + k];
  }
  worst.good = worst.position <= POSITION_TOLERANCE && worst.depth <= POSITION_TOLERANCE &&
      worst.normal <= NORMAL_TOLERANCE && worst.sum <= SUM_TOLERANCE;
  return worst;
}

const row = (values, at) => `(${[...values.subarray(8 * at, 8 * at + 8)].join(', ')})`;

// ---- Reporting -----------------------------------------------------------------------------------------------------

let passed = 0, failed = 0;
function report(good, name, why = '') {
  if (good) return void ++passed;
  ++failed;
  console.log(`FAIL  ${name}: ${why}`);
}

const table = new Map();
function record(technique, worst) {
  const line = table.get(technique) ?? {cases: 0, same_bits: 0, position: 0, normal: 0};
  table.set(technique, line);
  ++line.cases;
  line.same_bits += worst.same_bits ? 1 : 0;
  line.position = Math.max(line.position, worst.position);
  line.normal = Math.max(line.normal, worst.normal);
}

function print_table() {
  console.log('technique                                   cases  same bits  worst position  worst normal');
  for (const [name, {cases, same_bits, position, normal}] of table) {
    console.log(`${name.padEnd(42)} ${String(cases).padStart(6)} ${String(same_bits).padStart(10)} ` +
                `${position.toExponential(2).padStart(15)} ${normal.toExponential(2).padStart(13)}`);
  }
}

// ---- Breaking ------------------------------------------------------------------------------------------------------

// Matrices of three rows or of four columns, with the 3x3 part of each turned over.
function swapped_rows(bytes, c) {
  const from = new Float32Array(bytes.buffer), to = from.slice(), each = c.bone_bytes / 4;
  for (let bone = 0; bone < from.length; bone += each) {
    for (let i = 0; i < 9; ++i) to[bone + 4 * Math.floor(i / 3) + i % 3] = from[bone + 4 * (i % 3) + Math.floor(i / 3)];
  }
  return new Uint8Array(to.buffer);
}

const CHANGES = {
  rows: {bones: swapped_rows},
  mode: {mode: (mode) => 1 - mode},
  offset: {offset: () => 0},
};

// ---- The test ------------------------------------------------------------------------------------------------------

async function check(passes, cases, name, technique) {
  let results;
  try {
    results = await passes.draw(cases);
  } catch (error) {
    return report(false, name, error.message);
  }
  const bad = [];
  results.forEach((actual, i) => {
    const expected = new Float32Array(passes.section(cases[i], 'expected').buffer);
    const worst = compare(actual, expected, cases[i].size);
    record(technique, worst);
    if (worst.good) return;
    bad.push(`${cases.length > 1 ? `draw ${i}: ` : ''}off by ${worst.position} of the size, depth ${worst.depth}, ` +
             `normal ${worst.normal}, the rest ${worst.sum}; vertex ${worst.vertex} is ${row(actual, worst.vertex)} ` +
             `and should be ${row(expected, worst.vertex)}`);
  });
  report(bad.length === 0, name, bad.join('; '));
}

// A buffer that is smaller than the shader declares is refused.
async function check_refusal(passes, c) {
  const name = `${c.technique}: a buffer too small is refused`;
  try {
    await passes.draw([c], 16);
  } catch (error) {
    return report(/size/i.test(error.message), name, error.message);
  }
  report(false, name, 'it was drawn');
}

const first_of_each = (cases) =>
    cases.filter((c, i) => cases.findIndex(({technique}) => technique === c.technique) === i);

const [folder, option, broken] = process.argv.slice(2);
if (!folder || (option && !(option === '--break' && broken in CHANGES))) {
  console.error('usage: node wgsl_test.mjs FOLDER [--break rows|mode|offset]');
  process.exit(2);
}
const manifest = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8'));
try {
  const {device, description} = await open_device();
  console.log(`WebGPU device: ${description}`);
  const passes = new Passes(device, folder, manifest, CHANGES[broken]);
  const cases = broken ? first_of_each(manifest.cases) : manifest.cases;
  for (const c of cases) {
    await check(passes, [c], c.name, c.technique);
    c.bytes = undefined;
  }
  for (const {name, cases: numbers} of manifest.passes) {
    await check(passes, numbers.map((number) => manifest.cases[number]), name, 'several in one pass');
  }
  if (!broken) {
    for (const c of first_of_each(cases.filter(({fixed}) => fixed))) await check_refusal(passes, c);
  }
} catch (error) {
  report(false, 'the test', error.message);
}
print_table();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
