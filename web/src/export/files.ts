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

/** A drawing as a document of its own. */
export interface Picture {
  text: string;
  width: number;
  height: number;
}

/** What a picture says of itself: title and maker in a line below it, and the rest inside. */
export interface Legend {
  title: string;
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

/** What a browser computes for most colours, and what any viewer knows. */
const plain = /^(rgb\(\d+, \d+, \d+\)|none|url\(.*)$/;

/**
 * Any other colour, such as one of oklch or one that is half transparent, as red, green and blue, and
 * how much of what lies below it covers.
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

/** Properties are written out as attributes, their colours plain. */
function carry(style: CSSStyleDeclaration, target: Element): void {
  for (const property of carried) {
    const value = style.getPropertyValue(property);
    if (value) target.setAttribute(property, value);
  }
  for (const property of ['fill', 'stroke'] as const) {
    const { colour, cover } = painted(style.getPropertyValue(property));
    target.setAttribute(property, colour);
    if (cover === 1) continue;
    const opacity = `${property}-opacity`;
    target.setAttribute(opacity, String(cover * Number(style.getPropertyValue(opacity))));
  }
}

/** What the drawing lies on: a variable is resolved where it is used. */
function paperUnder(drawing: SVGSVGElement): string {
  const probe = element('rect', {});
  probe.style.fill = 'var(--paper)';
  drawing.append(probe);
  const { colour } = painted(getComputedStyle(probe).fill);
  probe.remove();
  return colour;
}

const lineHeight = 24;

/** A small line at the foot, smaller where the drawing is narrow. */
function footLine(drawing: SVGSVGElement, { title, maker }: Legend, width: number, y: number) {
  const text = `${title} · ${maker}`;
  const { color, fontFamily } = getComputedStyle(drawing);
  // A letter is about half as wide as it is high.
  const size = Math.min(11, (width - 16) / (0.55 * text.length));
  const place = { x: 8, y: y + 16, fill: painted(color).colour, 'fill-opacity': 0.75 };
  return element('text', { ...place, 'font-family': fontFamily, 'font-size': size }, text);
}

/** Does `take` while the drawing looks as on paper: in light colours, and with none of its curves pointed at. */
function atRest<Type>(drawing: SVGSVGElement, take: () => Type): Type {
  const pointed = ['lit', 'quiet'] as const;
  const changed = [...drawing.querySelectorAll<SVGElement>('.lit, .quiet')].map((one) => {
    const classes = pointed.filter((name) => one.classList.contains(name));
    one.classList.remove(...classes);
    return { one, classes };
  });
  const { colorScheme } = drawing.style;
  drawing.style.colorScheme = 'light';
  // Or the style at this moment is that of a fade on its way.
  for (const fade of drawing.getAnimations({ subtree: true })) fade.finish();
  try {
    return take();
  } finally {
    drawing.style.colorScheme = colorScheme;
    for (const { one, classes } of changed) one.classList.add(...classes);
  }
}

/** Styles are written out; title, maker and parameters are inside. */
export const pictureOf = (drawing: SVGSVGElement, legend: Legend): Picture =>
  atRest(drawing, () => picture(drawing, legend));

function picture(drawing: SVGSVGElement, legend: Legend): Picture {
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
  const { width, height: drawn } = drawing.getBoundingClientRect();
  const height = drawn + lineHeight;
  copy.setAttribute('xmlns', namespace);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('viewBox', `0 0 ${String(width)} ${String(height)}`);
  copy.prepend(
    element('title', {}, legend.title),
    element('desc', {}, legend.description),
    element('rect', { width: '100%', height: '100%', fill: paperUnder(drawing) }),
  );
  copy.append(footLine(drawing, legend, width, drawn));
  for (const comment of commentsIn(copy)) comment.remove();
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

/** Lit's markers are of no use outside the page. */
function commentsIn(root: Node): Comment[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const found: Comment[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Comment);
  return found;
}

/** Paints a picture, twice as fine as the screen shows it. */
export async function pngOf({ text, width, height }: Picture): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * width;
    canvas.height = 2 * height;
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

/** Hands a file to the reader. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the address after this turn.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}
