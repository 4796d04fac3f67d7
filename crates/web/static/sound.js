// Sounds, made here: short and wooden. Silent until the switch is on.

import { remember, remembered } from "./words.js";

/** @type {AudioContext | null} */
let context = null;
let on = remembered("sound", "off") === "on";

export function isOn() {
  return on;
}

/** @param {boolean} wanted */
export function turn(wanted) {
  on = wanted;
  remember("sound", wanted ? "on" : "off");
  if (wanted) play("move");
}

/**
 * A knock on wood: a burst of noise through a narrow filter over a falling tone.
 * @param {AudioContext} audio
 * @param {number} at seconds
 * @param {number} pitch
 * @param {number} loud
 */
function knock(audio, at, pitch, loud) {
  const length = Math.ceil(audio.sampleRate * 0.06);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 6;
  const burst = audio.createBufferSource();
  burst.buffer = noise;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch * 4;
  filter.Q.value = 1.4;
  const tone = audio.createOscillator();
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + 0.08);
  const body = audio.createGain();
  body.gain.setValueAtTime(loud * 0.5, at);
  body.gain.exponentialRampToValueAtTime(0.001, at + 0.11);
  const click = audio.createGain();
  click.gain.value = loud;
  burst.connect(filter).connect(click).connect(audio.destination);
  tone.connect(body).connect(audio.destination);
  burst.start(at);
  tone.start(at);
  tone.stop(at + 0.12);
}

/** @type {Record<string, [number, number, number][]>} delay, pitch, loudness */
const SOUNDS = {
  move: [[0, 240, 0.5]],
  capture: [[0, 240, 0.5], [0.055, 190, 0.45]],
  check: [[0, 240, 0.5], [0.09, 480, 0.3]],
  clock: [[0, 620, 0.12]],
  end: [[0, 200, 0.4], [0.16, 160, 0.4], [0.34, 120, 0.5]],
};

/** @param {"move" | "capture" | "check" | "clock" | "end"} name */
export function play(name) {
  if (!on) return;
  context ??= new AudioContext();
  const audio = context;
  void audio.resume();
  for (const [delay, pitch, loud] of SOUNDS[name]) {
    knock(audio, audio.currentTime + 0.01 + delay, pitch, loud);
  }
}
