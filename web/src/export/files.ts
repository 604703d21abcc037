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

/** A drawing as a document of its own: styles written out, its title and parameters inside. */
export function standaloneSvg(
  drawing: SVGSVGElement,
  title: string,
  description: string,
  background: string,
): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, index) => {
    const target = copies[index];
    if (!target) return;
    const style = getComputedStyle(original);
    if (style.display === 'none') target.setAttribute('display', 'none');
    for (const property of carried) {
      const value = style.getPropertyValue(property);
      if (value) target.setAttribute(property, value);
    }
    target.removeAttribute('class');
  });
  for (const passing of copy.querySelectorAll('[data-passing], [display="none"]')) passing.remove();
  const { width, height } = drawing.getBoundingClientRect();
  const namespace = 'http://www.w3.org/2000/svg';
  copy.setAttribute('xmlns', namespace);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('viewBox', `0 0 ${String(width)} ${String(height)}`);
  const element = (name: string, text: string) => {
    const made = document.createElementNS(namespace, name);
    made.textContent = text;
    return made;
  };
  const paper = document.createElementNS(namespace, 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', background);
  copy.prepend(element('title', title), element('desc', description), paper);
  for (const comment of commentsIn(copy)) comment.remove();
  return new XMLSerializer().serializeToString(copy);
}

/** Lit's markers are of no use outside the page. */
function commentsIn(root: Node): Comment[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const found: Comment[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Comment);
  return found;
}

/** Paints an SVG document, twice as fine as the screen shows it. */
export async function pngOf(source: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([source], { type: 'image/svg+xml' }));
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
