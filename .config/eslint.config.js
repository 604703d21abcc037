import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['build/', 'dist/', 'wasm/generated/', 'node_modules/']),
  {
    files: ['**/*.ts'],
    extends: [
      eslint.configs.recommended,
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
    ],
    languageOptions: {
      parserOptions: {
        // One TypeScript program for all projects: three would read most files three times.
        project: '.config/tsconfig.lint.json',
        tsconfigRootDir: `${import.meta.dirname}/..`,
      },
    },
    rules: {
      // Data from outside has the type that it claims, and is checked all the same.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // An AbortSignal's reason may be anything, and the caller gets it back as it is.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [eslint.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'performance', 'URL', 'setTimeout', 'clearTimeout'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    // Some of its functions are handed to a browser.
    files: ['tests/bench/page.mjs'],
    languageOptions: {
      globals: {
        document: 'readonly',
        requestAnimationFrame: 'readonly',
        PerformanceObserver: 'readonly',
      },
    },
  },
);
