/** The position of a panel: below its number and to the right, if there is room. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

const GAP = 6;
const MARGIN = 8;

/** Left and top of a panel of `size` that belongs to `anchor`, inside `viewport`; all in CSS pixels. */
export function place(anchor: Box, size: Size, viewport: Size): { left: number; top: number } {
  const left = Math.max(MARGIN, Math.min(anchor.left, viewport.width - size.width - MARGIN));
  const below = anchor.bottom + GAP;
  if (below + size.height <= viewport.height - MARGIN) return { left, top: below };
  const above = anchor.top - GAP - size.height;
  if (above >= MARGIN) return { left, top: above };
  // Neither fits: beside the number, so that the number stays visible.
  const right = anchor.right + GAP;
  const beside = right + size.width <= viewport.width - MARGIN ? right : anchor.left - GAP - size.width;
  return { left: Math.max(MARGIN, beside), top: Math.max(MARGIN, viewport.height - size.height - MARGIN) };
}
