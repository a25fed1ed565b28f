import type { MediaView } from '../../shared/content.ts';
import { replaceIfDamaged } from '../contentElement.ts';
import { button, element, formatNumber, iconButton } from '../dom.ts';

/** One step of the buttons + and −, and the least and the most. */
const zoomStep = 1.25;
const zoomRange = { least: 0.05, most: 16 };

/** A picture that can be enlarged: as large as fits at first. It scrolls by keyboard, and has the keys + − 0 (fit) and 1. */
export function createZoomImage({ source, mimeType }: MediaView): HTMLElement {
  const alt = `Image from the server, ${mimeType}`;
  const image = element('img', { src: source, alt });
  const caption = element('figcaption', { text: mimeType });
  const status = element('span', { class: 'muted', role: 'status' });
  let zoom: number | undefined;

  /** @param to pixels of the page for one of the picture; `undefined` fits it into the page */
  const set = (to: number | undefined): void => {
    zoom = to === undefined ? undefined : Math.min(zoomRange.most, Math.max(zoomRange.least, to));
    port.classList.toggle('fits', zoom === undefined);
    image.style.width = zoom === undefined ? '' : `${image.naturalWidth * zoom}px`;
    status.textContent = zoom === undefined ? '' : `${Math.round(zoom * 100)} %`;
    fit.ariaPressed = String(zoom === undefined);
    actual.ariaPressed = String(zoom === 1);
  };
  const now = (): number => zoom ?? (image.naturalWidth === 0 ? 1 : image.width / image.naturalWidth);
  const fit = button({ label: 'Fit', kind: 'quiet', title: 'Fit (0)', onClick: () => set(undefined) });
  const actual = button({ label: 'Actual Size', kind: 'quiet', title: 'Actual Size (1)', onClick: () => set(1) });
  const zoomOut = (): void => set(now() / zoomStep);
  const zoomIn = (): void => set(now() * zoomStep);
  const keys = new Map([
    ['+', zoomIn],
    ['=', zoomIn],
    ['-', zoomOut],
    ['0', () => set(undefined)],
    ['1', () => set(1)],
  ]);
  const onkeydown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
    if (!ctrlKey && !metaKey && !altKey) keys.get(key)?.();
  };
  const attributes = { class: 'zoom-port fits', tabindex: 0, role: 'region', 'aria-label': alt, onkeydown };
  const port = element('div', attributes, image);
  const tools = element(
    'div',
    { class: 'view-tools', role: 'group', 'aria-label': 'Size of the image' },
    fit,
    actual,
    iconButton('Zoom Out', 'zoom-out', zoomOut),
    iconButton('Zoom In', 'zoom-in', zoomIn),
    status,
  );
  image.addEventListener('load', () => {
    const { naturalWidth: width, naturalHeight: height } = image;
    caption.textContent = `${mimeType}, ${formatNumber(width)} × ${formatNumber(height)} pixels`;
  });
  set(undefined);
  const figure = element('figure', { class: 'media zoomable' }, tools, port, caption);
  replaceIfDamaged(image, figure);
  return figure;
}
