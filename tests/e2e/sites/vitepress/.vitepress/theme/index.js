import DefaultTheme from 'vitepress/theme';
import 'honest-epsilon/element';
import './style.css';

export default DefaultTheme;
