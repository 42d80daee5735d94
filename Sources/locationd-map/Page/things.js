// things.js
