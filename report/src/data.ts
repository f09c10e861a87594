// What the page is about: the JSON and the packed arrays of src/report/report_facts.cc.

export interface Ref { type: 'u8' | 'u16' | 'u32' | 'f32' | 'text'; at: number; count: number }
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

export interface Neighbours { start: Numbers; node: Numbers; degree: Numbers }
export interface Data {
  name: string;
  fingerprint: string;   // of the content: the same in runs on the same data, whatever their graphs
  nodes: number;
  classes: string[];
  ids: string[] | null;  // null: ids are the numbers 0, 1, 2, ...
  labels: Numbers;       // kUnlabelled: none
  topology: Neighbours;
  features: Neighbours | null;
}
export interface Frame { epoch: number; chosen: boolean; coordinates: Numbers }
export interface Views {
  prototypes: number;
  prototypes_are_classes: boolean;
  share: Numbers | null;  // of the topology in the winning logit, 0 to 255
  nearest: Numbers[];     // prototype by topology, by features
}
export interface Curve {
  seed: number; best_epoch: number;
  epoch: Numbers; loss: Numbers; val_loss: Numbers; train: Numbers; val: Numbers; test: Numbers; agreement: Numbers;
}
export interface Run {
  name: string; method: string; data: number; seed: number; best_epoch: number;
  roles: Numbers;          // see ROLES
  predicted: Numbers;
  probabilities: Numbers;  // nodes x classes, 0 to 65535
  curves: Curve[];
  calibration: { nodes: number; confidence: number; accuracy: number }[];
  views: Views | null;
  frames: Frame[];
}
export interface Facts { schema: number; layout: string; data: Data[]; runs: Run[] }

export const kUnlabelled = 65535;
export const ROLES = ['no part', 'training', 'validation', 'test'];

export const idOf = (d: Data, node: number): string => d.ids ? d.ids[node] : String(node);
export const className = (d: Data, c: number): string => c === kUnlabelled ? 'no label' : d.classes[c];
export const probability = (r: Run, d: Data, node: number, c: number): number =>
  r.probabilities[node * d.classes.length + c] / 65535;

async function unpacked(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

function array(ref: Ref, from: ArrayBuffer): Numbers {
  switch (ref.type) {
    case 'u8': return new Uint8Array(from, ref.at, ref.count);
    case 'u16': return new Uint16Array(from, ref.at, ref.count);
    case 'u32': return new Uint32Array(from, ref.at, ref.count);
    case 'f32': return new Float32Array(from, ref.at, ref.count);
    default: throw new Error(`array of unknown type ${ref.type}`);
  }
}

const isRef = (v: unknown): v is Ref => typeof v === 'object' && v !== null && 'at' in v && 'count' in v;

// Puts arrays in the place of what refers to them, at any depth.
function resolved(value: unknown, from: ArrayBuffer): unknown {
  if (isRef(value)) {
    if (value.type !== 'text') return array(value, from);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(from, value.at, value.count)));
  }
  if (Array.isArray(value)) return value.map((v) => resolved(v, from));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolved(v, from)]));
  return value;
}

// `arrays`: packed, in base64.
export async function unpackFacts(facts: unknown, arrays: string): Promise<Facts> {
  return resolved(facts, await unpacked(arrays)) as Facts;
}

export function readFacts(): Promise<Facts> {
  const text = (id: string) => document.getElementById(id)!.textContent!;
  return unpackFacts(JSON.parse(text('facts')), text('arrays'));
}
