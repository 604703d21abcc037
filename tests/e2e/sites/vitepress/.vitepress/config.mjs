export default {
  title: 'Training notes',
  base: '/page/',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'honest-epsilon' } } },
  themeConfig: {
    nav: [
      { text: 'The run', link: '/' },
      { text: 'The other run', link: '/other' },
    ],
  },
};
