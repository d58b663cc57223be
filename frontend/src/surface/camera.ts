/** The camera by keyboard, and one camera for several scenes. */
import type { Camera } from "./solid.ts";

const STEP = Math.PI / 24; // 7.5° for each key press
const CLOSER = 0.9;
const [LOWEST, STEEPEST] = [0.02, Math.PI / 2 - 0.05]; // never under the floor, never straight from above

/** The camera after this key; undefined if the key has no meaning for the camera. */
export function moved(camera: Camera, key: string): Camera | undefined {
  switch (key) {
    case "ArrowLeft": return turned(camera, -STEP, 0);
    case "ArrowRight": return turned(camera, STEP, 0);
    case "ArrowUp": return turned(camera, 0, STEP);
    case "ArrowDown": return turned(camera, 0, -STEP);
    case "+": case "=": return stepped(camera, CLOSER);
    case "-": case "−": return stepped(camera, 1 / CLOSER);
    default: return undefined;
  }
}

/** Moves the eye around the centre of the scene by `sideways` and `upwards` radians. */
function turned(camera: Camera, sideways: number, upwards: number): Camera {
  const { x, y, z } = camera.eye;
  const distance = Math.hypot(x, y, z);
  const azimuth = Math.atan2(y, x) + sideways;
  const height = Math.min(STEEPEST, Math.max(LOWEST, Math.asin(z / distance) + upwards));
  const flat = distance * Math.cos(height);
  const eye = { x: flat * Math.cos(azimuth), y: flat * Math.sin(azimuth), z: distance * Math.sin(height) };
  return { ...camera, eye };
}

function stepped(camera: Camera, factor: number): Camera {
  const { x, y, z } = camera.eye;
  return { ...camera, eye: { x: x * factor, y: y * factor, z: z * factor } };
}

/** Whether two cameras have the same position, to a thousandth. */
export function same(one: Camera, other: Camera): boolean {
  return (["eye", "center"] as const).every((point) =>
    (["x", "y", "z"] as const).every((axis) => Math.abs(one[point][axis] - other[point][axis]) < 1e-3),
  );
}
