// days.js
