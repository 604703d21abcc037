/** Properties that a drawing takes from the page's style sheet and must carry when it leaves it. */
const carried = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'paint-order',
] as const;

export interface Picture {
  text: string;
  width: number;
  height: number;
}

/** What a picture says of itself: above and below the drawing, and the description inside. */
interface Legend {
  title: string;
  /** Which run it is of; may be empty. */
  run: string;
  /** What is to be seen, as a sentence; may be empty. */
  finding: string;
  /** The program and its version. */
  maker: string;
  description: string;
}

const namespace = 'http://www.w3.org/2000/svg';

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** The forms in which browsers compute most colours, and which any viewer reads. */
const plain = /^(rgb\(\d+, \d+, \d+\)|none|url\(.*)$/;

/**
 * Any other colour, such as oklch or half transparent ones, as red, green and blue, with its
 * opacity.
 */
function painted(colour: string): { colour: string; cover: number } {
  if (plain.test(colour)) return { colour, cover: 1 };
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  if (!context) throw new Error(`the browser could not paint ${colour}`);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, cover = 0] = context.getImageData(0, 0, 1, 1).data;
  return { colour: `rgb(${red}, ${green}, ${blue})`, cover: cover / 255 };
}

/**
 * Typefaces that other programs have: word processors read neither one inside a file nor more than
 * the first name. All those of a line have the same widths.
 */
export const facesLike = (family: string): string =>
  /(^|[ ,])serif$/.test(family)
    ? "'Times New Roman', Times, 'Liberation Serif', serif"
    : "Arial, Helvetica, 'Liberation Sans', sans-serif";

/** Properties are written out as attributes, their colours plain. */
function carry(style: CSSStyleDeclaration, target: Element): void {
  for (const property of carried) {
    const value = style.getPropertyValue(property);
    if (value) target.setAttribute(property, property === 'font-family' ? facesLike(value) : value);
  }
  for (const property of ['fill', 'stroke'] as const) {
    const { colour, cover } = painted(style.getPropertyValue(property));
    target.setAttribute(property, colour);
    if (cover === 1) continue;
    const opacity = `${property}-opacity`;
    target.setAttribute(opacity, String(cover * Number(style.getPropertyValue(opacity))));
  }
}

/** A colour of the palette as the drawing has it: a variable is resolved where it is used. */
function colourIn(drawing: SVGSVGElement, name: '--paper' | '--ink'): string {
  const probe = element('rect', {});
  probe.style.fill = `var(${name})`;
  drawing.append(probe);
  const { colour } = painted(getComputedStyle(probe).fill);
  probe.remove();
  return colour;
}

/** The text around a drawing, in pixels. */
const captionSize = 11;
const titleSize = 13;
const lineHeight = 15;
const edge = 8;

/** Breaks a text into lines that fit; a word or an equation that does not is a line of its own. */
export function wrapped(text: string, room: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  const words = text.replaceAll(/ ([=≤]) /g, '\u00a0$1\u00a0').split(' ');
  for (const word of words.filter((one) => one !== '')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => line.replaceAll('\u00a0', ' '));
}

interface TextStyle {
  width: number;
  fontFamily: string;
  colour: string;
}

interface Paragraph {
  text: string;
  isTitle?: boolean;
  opacity?: number;
}

const fontOf = ({ isTitle = false }: Pick<Paragraph, 'isTitle'>) =>
  isTitle ? { size: titleSize, weight: 600 } : { size: captionSize, weight: 400 };

/** How wide a text is, also for a viewer that has none of the page's typefaces. */
function measureIn(
  fontFamily: string,
  { size, weight }: ReturnType<typeof fontOf>,
): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('the browser could not measure a text');
  return (text) => {
    const widths = [fontFamily, 'sans-serif'].map((family) => {
      context.font = `${String(weight)} ${String(size)}px ${family}`;
      return context.measureText(text).width;
    });
    return 1.03 * Math.max(...widths);
  };
}

function textAt(
  { fontFamily, colour }: TextStyle,
  { text, opacity = 1, ...kind }: Paragraph,
  x: number,
  y: number,
): SVGTextElement {
  const { size, weight } = fontOf(kind);
  const font = { 'font-family': fontFamily, 'font-size': size, 'font-weight': weight };
  return element('text', { x, y, fill: colour, 'fill-opacity': opacity, ...font }, text);
}

/** Paragraphs in lines below `top`, and where they end. */
function textBelow(
  top: number,
  style: TextStyle,
  paragraphs: readonly Paragraph[],
): { lines: SVGTextElement[]; end: number } {
  let end = top;
  const lines = paragraphs.flatMap((paragraph) =>
    wrapped(
      paragraph.text,
      style.width - 2 * edge,
      measureIn(style.fontFamily, fontOf(paragraph)),
    ).map((text) => {
      end += lineHeight;
      return textAt(style, { ...paragraph, text }, edge, end);
    }),
  );
  return { lines, end };
}

/** A short piece of a line with its mark. */
function sampleOf(line: Element, x: number, y: number): SVGGElement {
  const sample = element('g', {});
  const drawn = [...line.children].findLast(
    (child) => child.tagName === 'path' && child.getAttribute('fill') === 'none',
  );
  const piece = drawn?.cloneNode() as Element | undefined;
  piece?.setAttribute('d', `M${String(x)} ${String(y)}h26`);
  if (piece) sample.append(piece);
  const mark = line.querySelector('[data-mark]');
  const [left = 0, top = 0] = mark?.getAttribute('data-mark')?.split(' ').map(Number) ?? [];
  if (!mark) return sample;
  const shape = mark.cloneNode(true) as Element;
  shape.setAttribute('transform', `translate(${String(x + 13 - left)} ${String(y - top)})`);
  sample.append(shape);
  return sample;
}

/**
 * Every line by its name, below the drawing, unless all names stand beside their lines. Returns where
 * the next line of text begins.
 */
function namesBelow(copy: SVGSVGElement, top: number, style: TextStyle): number {
  const lines = [...copy.querySelectorAll('[data-line]')];
  const labels = [...copy.querySelectorAll('[data-label]')];
  const said = labels.map((label) => label.getAttribute('data-label'));
  const nameOf = (line: Element) => line.getAttribute('data-line') ?? '';
  if (lines.length < 2 || lines.every((line) => said.includes(nameOf(line)))) return top;
  for (const label of labels) label.parentElement?.remove();
  const widthOf = measureIn(style.fontFamily, fontOf({}));
  let [x, y] = [edge, top + lineHeight];
  for (const line of lines) {
    const text = nameOf(line);
    const width = 32 + widthOf(text) + 16;
    if (x > edge && x + width - 16 > style.width - edge) [x, y] = [edge, y + lineHeight + 2];
    copy.append(sampleOf(line, x, y - 4), textAt(style, { text }, x + 32, y));
    x += width;
  }
  return y + 6;
}

/**
 * Above the drawing its title and its run; below it the names that it lacks, what is to be seen, and
 * the maker. Returns how high the picture is.
 */
function addText(copy: SVGSVGElement, legend: Legend, drawn: number, style: TextStyle): number {
  const { title, run, finding, maker } = legend;
  const below = namesBelow(copy, drawn, style);
  const foot = textBelow(below, style, [{ text: finding }, { text: maker, opacity: 0.75 }]);
  const head = textBelow(0, style, [{ text: title, isTitle: true }, { text: run }]);
  const top = head.end + edge;
  const body = element('g', { transform: `translate(0 ${String(top)})` });
  body.append(...copy.childNodes, ...foot.lines);
  copy.append(...head.lines, body);
  return top + foot.end + edge;
}

/** Runs `take` while the drawing looks as on paper: in light colours. */
function atRest<Type>(drawing: SVGSVGElement, printed: boolean, take: () => Type): Type {
  const { colorScheme } = drawing.style;
  drawing.style.colorScheme = 'light';
  if (printed) drawing.style.setProperty('--paper', '#fff');
  // Otherwise a running fade would be captured.
  for (const fade of drawing.getAnimations({ subtree: true })) fade.finish();
  try {
    return take();
  } finally {
    drawing.style.colorScheme = colorScheme;
    drawing.style.removeProperty('--paper');
  }
}

/**
 * A drawing as a document of its own, its styles written out; `printed` gives it a size in inches.
 */
export const pictureOf = (drawing: SVGSVGElement, legend: Legend, printed: boolean): Picture =>
  atRest(drawing, printed, () => picture(drawing, legend, printed));

function picture(drawing: SVGSVGElement, legend: Legend, printed: boolean): Picture {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, index) => {
    const target = copies[index];
    if (!target) return;
    const style = getComputedStyle(original);
    if (style.display === 'none') target.setAttribute('display', 'none');
    carry(style, target);
    target.removeAttribute('class');
  });
  for (const passing of copy.querySelectorAll('[data-passing], [display="none"]')) passing.remove();
  const [width, drawn] = [drawing.width, drawing.height].map(({ baseVal }) =>
    Number(baseVal.value.toFixed(3)),
  ) as [number, number];
  const style = getComputedStyle(drawing);
  // The drawing's own colour is that of the page's theme.
  const colour = colourIn(drawing, '--ink');
  const textStyle = { width, fontFamily: facesLike(style.fontFamily), colour };
  const height = addText(copy, legend, drawn, textStyle);
  const size = (pixels: number) =>
    printed ? `${String(Number((pixels / 96).toFixed(3)))}in` : String(pixels);
  copy.removeAttribute('style');
  copy.setAttribute('xmlns', namespace);
  copy.setAttribute('width', size(width));
  copy.setAttribute('height', size(height));
  copy.setAttribute('viewBox', `0 0 ${String(width)} ${String(height)}`);
  copy.prepend(
    element('title', {}, [legend.title, legend.run].filter(Boolean).join(', ')),
    element('desc', {}, [legend.finding, legend.description].filter(Boolean).join('\n')),
    element('rect', { width: '100%', height: '100%', fill: colourIn(drawing, '--paper') }),
  );
  // Lit's markers are of no use outside the page.
  const text = new XMLSerializer().serializeToString(copy).replaceAll(/<!--.*?-->/gs, '');
  return { text, width, height };
}

/** Paints a picture with this many dots per pixel. */
export async function pngOf({ text, width, height }: Picture, fineness: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(fineness * width);
    canvas.height = Math.round(fineness * height);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('the browser could not paint the picture'));
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * Opens the browser's print dialog on a picture alone, on a page of its size: saved as PDF it keeps its lines and
 * letters. A library that writes PDF would have to bring typefaces with Greek letters and superscripts.
 */
export function printPicture(name: string, { text, width, height }: Picture): void {
  const frame = document.createElement('iframe');
  frame.title = name;
  frame.style.cssText = 'position: fixed; width: 0; height: 0; border: 0';
  document.body.append(frame);
  const view = frame.contentWindow as (Window & typeof globalThis) | null;
  if (!view) throw new Error('the browser could not open a page to print');
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(
    `@page { size: ${String(width)}px ${String(height)}px; margin: 0 } body { margin: 0 }`,
  );
  const page = view.document;
  page.adoptedStyleSheets = [sheet];
  page.title = name;
  const drawing = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  page.body.append(page.importNode(drawing, true));
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
