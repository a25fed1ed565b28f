import type { Frame, Page } from 'playwright-core';

/** The name of the control that has the focus, as a screen reader says it. */
export function focusedName(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const active = document.activeElement;
    const labels = active !== null && 'labels' in active ? (active.labels as NodeListOf<Element> | null) : null;
    return active?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? active?.textContent ?? '';
  });
}

/** Presses Tab until a control with that name has the focus. */
export async function tabTo(page: Page, frame: Frame, name: string): Promise<void> {
  const passed: string[] = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(frame);
    if (focused === name) return;
    passed.push(focused);
  }
  throw new Error(`Tab never reached “${name}”, only ${passed.join(', ')}.`);
}
