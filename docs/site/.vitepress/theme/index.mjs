// The usual theme, with tables that are whole on every screen.
import theme from 'vitepress/theme';
import './tables.css';

export default theme;
