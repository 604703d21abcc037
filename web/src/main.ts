import { keepOffline } from './offline/register.js';
import './page.js';

// Of one file there is nothing to keep, and in development nothing is to be kept.
if (import.meta.env.MODE === 'production') void keepOffline();
