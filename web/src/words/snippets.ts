/** How the element gets into a page, by what the page is made with. */
export interface Snippet {
  key: string;
  title: string;
  /** What goes where, in order; a text without a file is what the reader does. */
  steps: readonly { does: string; code: string }[];
}

export type Attributes = readonly (readonly [name: string, value: string])[];

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * The element's tag; on lines of its own where it is long. No line begins with its end: in Markdown that
 * would be a quotation.
 */
export function tagOf(attributes: Attributes): string {
  const written = attributes.map(([name, value]) =>
    value === '' ? name : `${name}="${escape(value)}"`,
  );
  const line = `<honest-epsilon ${written.join(' ')}></honest-epsilon>`;
  if (line.length <= 80) return line;
  return `<honest-epsilon\n${written.map((text) => `  ${text}`).join('\n')}></honest-epsilon>`;
}

const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by);

const script = (from: string) =>
  `<script type="module" src="${from}honest-epsilon/honest-epsilon.js"></script>`;

/** Light or dark as the site's own switch says, not as the reader's system does. */
const switched = (dark: string, more = '') =>
  `honest-epsilon {${more}\n  color-scheme: light;\n}\n${dark} honest-epsilon {\n  color-scheme: dark;\n}`;

/** How the package's files get to where they are needed. */
const files = (place: string) => ({
  does: `Run npm run build in a clone of the project. Copy dist/browser ${place}.`,
  code: '',
});

/** The frame, and what makes it as high as its content. */
function frame(attributes: Attributes, address: string): string {
  const hash = new URLSearchParams(attributes.map(([name, value]) => [name, value])).toString();
  return `<iframe
  id="honest-epsilon"
  title="Honest Epsilon"
  src="${escape(`${address}#${hash}`)}"
  sandbox="allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"
  width="100%"
  height="420"
></iframe>
<script>
  addEventListener('message', ({ source, data }) => {
    const frame = document.getElementById('honest-epsilon');
    if (source === frame.contentWindow && data.source === 'honest-epsilon' && data.height) {
      frame.height = data.height;
    }
  });
</script>`;
}

const plainPage = (tag: string): Snippet => ({
  key: 'page',
  title: 'Plain page',
  steps: [
    files('next to your page and rename it honest-epsilon'),
    { does: 'In the page:', code: `${script('')}\n\n${tag}` },
  ],
});

const mkdocs = (tag: string): Snippet => ({
  key: 'mkdocs',
  title: 'MkDocs',
  steps: [
    files('to docs/honest-epsilon'),
    {
      does: 'In mkdocs.yml, for MkDocs 1.5 or later:',
      code: 'extra_javascript:\n  - path: honest-epsilon/honest-epsilon.js\n    type: module\nextra_css:\n  - honest-epsilon.css',
    },
    {
      does: 'Before MkDocs 1.5, extra_javascript cannot say type: module. Name only the style sheet in mkdocs.yml and put this line into the page, above the element; if your site is not at the root of its host, write its path first:',
      code: '<script type="module" src="/honest-epsilon/honest-epsilon.js"></script>',
    },
    {
      does: 'In docs/honest-epsilon.css; the first line is for the Material theme, whose rem is 20 pixels:',
      code: switched("[data-md-color-scheme='slate']", '\n  --honest-epsilon-rem: 0.8rem;'),
    },
    { does: 'In a page, between empty lines:', code: tag },
  ],
});

const sphinx = (tag: string): Snippet => ({
  key: 'sphinx',
  title: 'Sphinx',
  steps: [
    files('to _static/honest-epsilon'),
    {
      does: 'In conf.py:',
      code: "html_static_path = ['_static']\nhtml_js_files = [('honest-epsilon/honest-epsilon.js', {'type': 'module'})]\nhtml_css_files = ['honest-epsilon.css']",
    },
    {
      does: 'In _static/honest-epsilon.css, for Furo, PyData and other themes with a switch:',
      code: `${switched("[data-theme='dark']")}\n[data-theme='auto'] honest-epsilon {\n  color-scheme: light dark;\n}`,
    },
    {
      does: 'In a page; in one of MyST’s, the tag alone, between empty lines:',
      code: `.. raw:: html\n\n${indented(tag, '   ')}`,
    },
  ],
});

const docusaurus = (tag: string): Snippet => ({
  key: 'docusaurus',
  title: 'Docusaurus',
  steps: [
    files('to static/honest-epsilon'),
    {
      does: 'In docusaurus.config.js, with the site’s base address before the path:',
      code: "scripts: [{ src: '/honest-epsilon/honest-epsilon.js', type: 'module' }],",
    },
    { does: 'In src/css/custom.css:', code: switched("[data-theme='dark']") },
    { does: 'In a page:', code: tag },
  ],
});

const quarto = (tag: string): Snippet => ({
  key: 'quarto',
  title: 'Quarto',
  steps: [
    files('next to the document and rename it honest-epsilon'),
    {
      does: 'In its head:',
      code: `resources:\n  - honest-epsilon\nformat:\n  html:\n    include-in-header:\n      text: ${script('')}\n    css: honest-epsilon.css`,
    },
    { does: 'In honest-epsilon.css:', code: switched('.quarto-dark') },
    { does: 'In its text:', code: `\`\`\`{=html}\n${tag}\n\`\`\`` },
  ],
});

const app = (tag: string): Snippet => ({
  key: 'vite',
  title: 'An app',
  steps: [
    {
      does: 'Once, with the path of your own built clone:',
      code: 'npm install path/to/honest-epsilon',
    },
    { does: 'In a script, of a server too:', code: "import 'honest-epsilon/element';" },
    { does: 'In the markup:', code: tag },
  ],
});

/** Every way, for one question; `frameAddress` is where embed.html is to be had. */
export function snippetsOf(attributes: Attributes, frameAddress: string): readonly Snippet[] {
  const tag = tagOf(attributes);
  return [
    ...[plainPage, mkdocs, sphinx, docusaurus, quarto, app].map((recipe) => recipe(tag)),
    {
      key: 'frame',
      title: 'Frame',
      steps: [
        {
          does: 'One file, in a sandboxed frame; it makes no network requests:',
          code: frame(attributes, frameAddress),
        },
      ],
    },
  ];
}
