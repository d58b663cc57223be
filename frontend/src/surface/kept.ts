/**
 * Keeps camera and chosen cell in the address's fragment, so that readers can share the view, and in sessionStorage, so
 * that the view survives another choice in the menus.
 *
 * `#place=34359738368,1048576&camera=1.2,-1.5,0.8,0,0,0`: sizes of file and record in bytes; eye and centre.
 */
import type { Camera } from "./solid.ts";

const KEY = "benchdb.surface";
const SETTLED_MS = 250; // browsers limit how often an address may change

export interface Kept {
  /** File and record size in bytes. */
  place?: [file: number, record: number] | undefined;
  camera?: Camera | undefined;
}

/** The view from the address, completed by the last view of this tab; invalid values are ignored. */
export function readKept(view: Window): Kept {
  const [here, before] = [parse(view.location.hash.slice(1)), parse(view.sessionStorage.getItem(KEY) ?? "")];
  return { place: here.place ?? before.place, camera: here.camera ?? before.camera };
}

function parse(text: string): Kept {
  const parameters = new URLSearchParams(text);
  const numbers = (name: string, count: number) => {
    const all = (parameters.get(name) ?? "").split(",").map(Number);
    return all.length === count && all.every(Number.isFinite) ? all : undefined;
  };
  const [file = 0, record = 0] = numbers("place", 2) ?? [];
  const [x = 0, y = 0, z = 0, ...centre] = numbers("camera", 6) ?? [];
  return {
    place: file > 0 && record > 0 ? [file, record] : undefined,
    camera: x || y || z ? { eye: { x, y, z }, center: { x: centre[0] ?? 0, y: centre[1] ?? 0, z: centre[2] ?? 0 } } : undefined,
  };
}

/** Stores a view if no newer one follows within a moment. */
export class Keeper {
  readonly #view: Window;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: Window) {
    this.#view = view;
  }

  keep({ place, camera }: Kept): void {
    clearTimeout(this.#timer);
    const numbers = camera ? [camera.eye, camera.center].flatMap(({ x, y, z }) => [x, y, z]) : [];
    const text = [
      ...(place ? [`place=${place.join()}`] : []),
      ...(camera ? [`camera=${numbers.map((number) => Number(number.toFixed(3))).join()}`] : []),
    ].join("&");
    this.#timer = setTimeout(() => {
      this.#view.sessionStorage.setItem(KEY, text);
      this.#view.history.replaceState(this.#view.history.state, "", `#${text}`);
    }, SETTLED_MS);
  }
}
